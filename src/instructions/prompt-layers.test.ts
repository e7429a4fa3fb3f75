import { describe, expect, test } from 'vitest';
import { contextFile } from '../../test/rig/found-file.ts';
import { lay, layoutText } from './layout.ts';
import { makePiece } from './piece.ts';
import { type PromptLayers, promptLayers } from './prompt-layers.ts';

const BASE = makePiece({
  id: 'base/x',
  kind: 'base',
  origin: { type: 'shipped' },
  placement: 'system',
  rule: 'A test.',
  text: 'BASE',
});

function layers(fields: Partial<PromptLayers> = {}): PromptLayers {
  return {
    base: () => lay(BASE, 'every-request'),
    override: undefined,
    append: undefined,
    flags: { replace: null, append: [] },
    trigger: 'every-request',
    ...fields,
  };
}

function text(fields: Partial<PromptLayers>): string {
  return layoutText(promptLayers(layers(fields)).laid);
}

const override = contextFile('/p/.x/SYSTEM.md', 'OVER\n', { kind: 'override' });
const append = contextFile('/p/.x/APPEND_SYSTEM.md', 'APP\n', { kind: 'append' });

describe('promptLayers', () => {
  test('the order is base or its replacement, the append file, the texts given for this run', () => {
    const flags = { replace: null, append: [{ text: 'ONE' }, { text: 'TWO', path: '/two.md' }] };
    expect(text({})).toBe('BASE');
    expect(text({ append })).toBe('BASE\n\nAPP\n');
    expect(text({ override, append, flags })).toBe('OVER\n\n\nAPP\n\n\nONE\n\nTWO');
  });

  test('a text given for this run beats SYSTEM.md', () => {
    expect(text({ override, append, flags: { replace: { text: 'FLAG' }, append: [] } })).toBe('FLAG\n\nAPP\n');
  });

  test('pieces say where each text came from', () => {
    const { laid } = promptLayers(
      layers({
        override,
        append,
        flags: { replace: null, append: [{ text: 'ONE' }, { text: 'TWO', path: '/two.md' }] },
      }),
    );
    expect(
      laid.flatMap((item) => ('piece' in item ? [[item.piece.id, item.piece.kind, item.piece.origin]] : [])),
    ).toEqual([
      ['override:/p/.x/SYSTEM.md', 'override', { type: 'file', path: '/p/.x/SYSTEM.md', scope: 'project' }],
      ['append:/p/.x/APPEND_SYSTEM.md', 'append', { type: 'file', path: '/p/.x/APPEND_SYSTEM.md', scope: 'project' }],
      ['append:flag/1', 'append', { type: 'flag' }],
      ['append:flag/2', 'append', { type: 'flag', path: '/two.md' }],
    ]);
  });

  test('a blank text given for this run counts as not given, and is told', () => {
    const result = promptLayers(
      layers({ flags: { replace: { text: ' \n' }, append: [{ text: '', path: '/empty.md' }] } }),
    );
    expect({ text: layoutText(result.laid), diagnostics: result.diagnostics }).toEqual({
      text: 'BASE',
      diagnostics: [
        {
          severity: 'warning',
          code: 'instructions/blank-flag',
          message: 'the system prompt given for this run is blank and counts as not given',
        },
        {
          severity: 'warning',
          code: 'instructions/blank-flag',
          message: 'appended text 1 given for this run is blank and counts as not given',
          path: '/empty.md',
        },
      ],
    });
  });
});
