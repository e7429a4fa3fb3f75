// biome-ignore-all lint/suspicious/noTemplateCurlyInString: file and directory names that look like placeholders
import { describe, expect, test } from 'vitest';
import { foundFile } from '../../../test/rig/found-file.ts';
import { checkLaid, layoutText, renderListing, spansOf } from '../../instructions/index.ts';
import type { Composition, Laid, ListedDirectory } from '../../model/index.ts';
import { EVENING, session, type TurnFields, turn, world } from '../test-scenario.ts';
import { composeKimiCli } from './compose.ts';

function compose(fields: TurnFields = {}): Composition {
  return composeKimiCli(turn(fields));
}

function pieceTexts(laid: Laid): Record<string, string> {
  return Object.fromEntries(laid.flatMap((item) => ('piece' in item ? [[item.piece.id, item.piece.text]] : [])));
}

const ROOT: ListedDirectory = {
  entries: [
    { name: 'src', directory: true },
    { name: 'a.ts', directory: false },
  ],
};
const LISTING = renderListing(ROOT);

describe('the rendered template', () => {
  test('root, files and listing', async () => {
    const files = [
      foundFile('context-file', '/repo/AGENTS.md', 'Root rules.\n'),
      foundFile('context-file', '/repo/web/.kimi/AGENTS.md', '\n Web rules. \n'),
    ];
    const seen = world(files, { cwd: '/repo/web', listing: { directory: '/repo/web', root: ROOT } });
    await expect(layoutText(compose({ world: seen }).system)).toMatchFileSnapshot('./goldens/root.md');
  });

  test('a subagent on Windows with developer instructions', async () => {
    const seen = world([], { platform: { os: 'win32', shell: 'cmd', home: 'C:\\' } });
    const flags = { replace: null, append: [{ text: ' Be terse.\n' }, { text: 'Use ${KIMI_OS}.' }] };
    const header = { ...session().header, spawnedBy: { session: 's', run: 'agent-1', agent: 'plan' } };
    const fields = { world: seen, session: session({ header }), settings: { flags } };
    await expect(layoutText(compose(fields).system)).toMatchFileSnapshot('./goldens/windows-subagent.md');
  });
});

describe('hostile names and texts', () => {
  const path = '/tmp/${KIMI_AGENTS_MD}/$&$1$$/{% endif %}';
  const root: ListedDirectory = {
    entries: [
      { name: '${KIMI_AGENTS_MD}', directory: false },
      { name: '${KIMI_SKILLS}', directory: false },
    ],
  };
  const listing = renderListing(root);
  const agents = foundFile(
    'context-file',
    `${path}/AGENTS.md`,
    '${KIMI_SKILLS} {% if KIMI_OS == "Windows" %} $& ${KIMI_WORK_DIR}',
  );
  const { system } = compose({ world: world([agents], { cwd: path, listing: { directory: path, root } }) });

  test('nothing that was put in is expanded', () => {
    const {
      listing: listed,
      'environment/work-dir': directory,
      [`context-file:${path}/AGENTS.md`]: body,
    } = pieceTexts(system);
    expect({ listed, directory, body }).toEqual({ listed: listing, directory: path, body: agents.text });
  });

  test('every byte belongs to one piece or separator', () => {
    expect(checkLaid(system)).toEqual([]);
    const bytes = Buffer.from(layoutText(system));
    for (const { start, end, item } of spansOf(system)) {
      if ('piece' in item) expect(bytes.subarray(start, end).toString()).toBe(item.piece.text);
    }
  });
});

describe('what is frozen', () => {
  test('time and listing of the conversation’s start are pinned, and hold at every later request', () => {
    const first = compose({ world: world([], { listing: { directory: '/repo', root: ROOT } }) });
    expect(first.pins).toEqual([
      { name: 'kimi-cli/now', value: '2026-11-30T21:04:05.123456+02:00' },
      { name: 'kimi-cli/listing:/repo', value: LISTING },
    ]);
    const pins = Object.fromEntries(first.pins.map(({ name, value }) => [name, value]));
    const later = { ...EVENING, epochMs: EVENING.epochMs + 61_000 };
    const second = compose({
      now: later,
      session: session({ pins }),
      world: world([], { listing: { directory: '/repo', root: { entries: [] } } }),
    });
    expect([second.system, second.pins]).toEqual([first.system, []]);
  });
});

describe('the budget of 32 KiB', () => {
  const root = foundFile('context-file', '/repo/AGENTS.md', `${'r'.repeat(20_000)}TAIL`);
  const leaf = foundFile('context-file', '/repo/web/AGENTS.md', 'l'.repeat(20_000));
  const { system, diagnostics } = compose({ world: world([root, leaf]) });

  test('the nearest file is whole, the outer one is cut, and the person is told', () => {
    const pieces = system.flatMap((item) =>
      'piece' in item && item.piece.kind === 'context-file' ? [item.piece] : [],
    );
    const why = 'the budget of 32768 bytes was used up';
    expect(pieces.map(({ id, text, cut }) => [id, text.length, cut])).toEqual([
      ['context-file:/repo/AGENTS.md', 12_700, { keptBytes: 12_700, droppedBytes: 7304, why }],
      ['context-file:/repo/web/AGENTS.md', 20_000, undefined],
    ]);
    expect(diagnostics).toEqual([
      {
        severity: 'warning',
        code: 'instructions/budget-cut',
        message: '7304 bytes at the end are not sent: all instruction files together have 32768 bytes',
        path: '/repo/AGENTS.md',
        data: { droppedBytes: 7304, budget: 32_768 },
      },
    ]);
  });

  test('together, headings included, they are exactly the budget', () => {
    const text = layoutText(system);
    const from = text.indexOf('<!-- From: /repo/AGENTS.md -->');
    const to = text.lastIndexOf('l'.repeat(20_000)) + 20_000;
    expect(Buffer.byteLength(text.slice(from, to))).toBe(32_768);
  });
});
