import { nearest, screenText, UsageError } from '../../base/index.ts';
import type { ShippedTexts } from '../../sdk/index.ts';
import { agentOptions } from '../agent-options.ts';
import { isGiven } from '../given-options.ts';
import { readableJson } from '../readable-json.ts';
import type { CommandCall } from '../run-command-line.ts';

/** `rein vfs ls [URI]`, `rein vfs cat URI`: the texts that the harness ships, to be read and copied. */
export async function runVfsCommand({ options, arguments: words, stdio }: CommandCall): Promise<number> {
  const [word = 'ls', uri] = words;
  const { shippedTexts } = await import('../../sdk/index.ts');
  const shipped = await shippedTexts(agentOptions(options));
  if (word === 'cat') {
    if (isGiven(options, 'json'))
      throw new UsageError('usage/conflict', 'rein vfs cat prints the text as it is: no --json');
    const text = textAt(uri, shipped);
    stdio.output.write(stdio.output.isTerminal ? screenText(text) : text);
    return 0;
  }
  const names = listed(uri, shipped);
  if (isGiven(options, 'json')) stdio.output.write(`${readableJson(names)}\n`);
  else for (const name of names) stdio.output.write(`${name}\n`);
  return 0;
}

/** Every URI; below one of them the names of what lies directly there, folders with a slash. */
function listed(uri: string | undefined, { texts, harness }: ShippedTexts): string[] {
  const all = Object.keys(texts).sort();
  if (uri === undefined) return all;
  const folder = uri.endsWith('/') ? uri : `${uri}/`;
  const below = all.filter((one) => one.startsWith(folder)).map((one) => one.slice(folder.length));
  const names = below.map((rest) => (rest.includes('/') ? rest.slice(0, rest.indexOf('/') + 1) : rest));
  if (names.length > 0) return [...new Set(names)];
  if (Object.hasOwn(texts, uri)) return [uri.slice(uri.lastIndexOf('/') + 1)];
  throw unknown(uri, all, harness);
}

function textAt(uri: string | undefined, { texts, harness }: ShippedTexts): string {
  if (uri === undefined) throw new UsageError('usage/incomplete', 'rein vfs cat needs a URI: rein vfs ls lists them');
  const text = Object.hasOwn(texts, uri) ? texts[uri] : undefined;
  if (text === undefined) throw unknown(uri, Object.keys(texts), harness);
  return text;
}

function unknown(uri: string, all: readonly string[], harness: string): UsageError {
  const near = nearest(uri, all);
  const hint = near === undefined ? 'rein vfs ls lists what there is' : `did you mean ${near}?`;
  const message = `harness "${harness}" ships no text ${JSON.stringify(uri.slice(0, 200))}; ${hint}`;
  return new UsageError('vfs/unknown', message, { data: { uri: uri.slice(0, 200), nearest: near ?? null } });
}
