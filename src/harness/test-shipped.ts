import { renderTemplate } from '../instructions/index.ts';

type Shipped = { scheme: string; resources: Readonly<Record<string, string>> };

const VARIABLES = {
  session_cwd: '/repo',
  platform: 'linux',
  shell: '/bin/bash',
  session_date: '2026-11-30',
};

/** A shipped text as it reaches the model where these tools are offered; what is wrong with it, in brackets. */
export function renderShipped(uri: string, { scheme, resources }: Shipped, tools: readonly string[]): string {
  const result = renderTemplate(
    {
      id: 'shipped',
      name: uri,
      text: resources[uri] ?? '',
      line: 1,
      context: {
        variables: VARIABLES,
        lenient: [],
        tools: tools.map((name) => ({ name, description: '' })),
        mcp: [],
        skills: [],
        variant: null,
      },
      transclude: {
        base: null,
        fragments: Object.fromEntries(Object.entries(resources).map(([name, text]) => [name, { text }])),
        schemes: [scheme],
      },
      embedded: [],
    },
    {},
  );
  if ('ask' in result) return '[needs the engine]';
  if (result.type === 'text') return result.segments.map(({ text }) => text).join('');
  return `[${JSON.stringify(result)}]`;
}

/** The tools that a shipped text asks for by `has_tool`. */
export function toolsAskedFor(resources: Readonly<Record<string, string>>): string[] {
  const asked = Object.values(resources).flatMap((text) => [...text.matchAll(/has_tool\("([^"]*)"\)/g)]);
  return [...new Set(asked.map(([, name = '']) => name))].sort();
}
