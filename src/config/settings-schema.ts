import { unreachable } from '../base/index.ts';
import { HOST } from './check-value.ts';
import { DEFAULTS, RULES, type Rule, type ValueType } from './schema.ts';

/** A JSON Schema, draft 7: what editors understand best. */
export type SettingsSchema = {
  $schema?: string;
  title?: string;
  description?: string;
  type?: string;
  default?: unknown;
  enum?: readonly unknown[];
  pattern?: string;
  minimum?: number;
  maximum?: number;
  minItems?: number;
  maxItems?: number;
  uniqueItems?: boolean;
  required?: readonly string[];
  anyOf?: readonly SettingsSchema[];
  items?: SettingsSchema;
  properties?: Record<string, SettingsSchema>;
  additionalProperties?: boolean | SettingsSchema;
};

/** Every key by its dotted name, `*` for a name of the user's own. */
export const SETTING_KEYS: readonly string[] = Object.keys(RULES);

/** The schema of a settings file: it accepts what the program accepts without a word. */
export function settingsSchema(): SettingsSchema {
  const root: SettingsSchema = {
    $schema: 'http://json-schema.org/draft-07/schema#',
    title: 'Settings of rein',
    ...group(),
    properties: { $schema: { type: 'string', description: 'where this schema is, for editors' } },
  };
  for (const [key, rule] of Object.entries(RULES)) place(root, key.split('.'), leaf(key, rule));
  return root;
}

function group(): SettingsSchema {
  return { type: 'object', additionalProperties: false };
}

function place(parent: SettingsSchema, path: readonly string[], schema: SettingsSchema): void {
  const [name, ...rest] = path;
  if (name === undefined) return;
  const child = rest.length === 0 ? schema : (childOf(parent, name) ?? group());
  if (name === '*') parent.additionalProperties = child;
  else parent.properties = { ...parent.properties, [name]: child };
  place(child, rest, schema);
}

function childOf({ additionalProperties, properties }: SettingsSchema, name: string): SettingsSchema | undefined {
  if (name !== '*') return properties?.[name];
  return typeof additionalProperties === 'object' ? additionalProperties : undefined;
}

function leaf(key: string, { value, about }: Rule): SettingsSchema {
  const fallback = DEFAULTS.find(([path]) => path.join('.') === key)?.[1] ?? null;
  return { description: about, ...(fallback === null ? {} : { default: fallback }), ...shapeOf(value) };
}

const VARIABLE: SettingsSchema = {
  type: 'object',
  properties: { env: { type: 'string', pattern: '^[A-Za-z_][A-Za-z0-9_]*$' } },
  required: ['env'],
  additionalProperties: false,
};

/** As `faultOf` judges it. */
function shapeOf(type: ValueType): SettingsSchema {
  switch (type.type) {
    case 'text':
      return { type: 'string', pattern: '\\S' };
    case 'url':
      return { type: 'string', pattern: '^\\s*[hH][tT][tT][pP][sS]?:' };
    case 'word':
      return { enum: type.words };
    case 'integer':
      return { type: 'integer', minimum: type.min, maximum: type.max };
    case 'flag':
      return { type: 'boolean' };
    case 'words':
      return { type: 'array', minItems: 1, uniqueItems: true, items: { enum: type.words } };
    case 'header':
      return { anyOf: [{ type: 'string', pattern: '^[\\t -~]{1,8192}$' }, VARIABLE] };
    case 'names':
      return { type: 'array', maxItems: 1000, items: { type: 'string', pattern: '^[A-Za-z_][A-Za-z0-9_]*$' } };
    case 'paths':
      return { type: 'array', maxItems: 1000, items: { type: 'string', pattern: '\\S' } };
    case 'hosts':
      return { type: 'array', maxItems: 1000, items: { type: 'string', pattern: HOST.source } };
    case 'rules': {
      const pattern = '^\\s*(?:read|write|shell|fetch)\\s*(?:\\(.+\\))?\\s*$';
      return { type: 'array', maxItems: 1000, items: { type: 'string', pattern } };
    }
    case 'free':
      return { type: 'object' };
    default:
      return unreachable(type);
  }
}
