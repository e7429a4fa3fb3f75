import { expect, test } from 'vitest';
import { checkLaid, lay, layoutText, makePiece } from '../../instructions/index.ts';
import type { ToolFace } from '../../tools/contract/index.ts';
import { HARNESS_EXECUTOR } from '../contract/index.ts';
import { turn } from '../test-scenario.ts';
import { popdFace, pushdFace } from './directory-faces.ts';
import { facetFace } from './facet-face.ts';
import { skillFace } from './skill-face.ts';

const PUSHD = pushdFace({ name: 'pushd', description: 'Goes.' });
const POPD = popdFace({ name: 'popd', description: 'Comes back.' });

function called(face: ToolFace, given: object): unknown {
  const parsed = face.toCall('c', JSON.stringify(given));
  return 'error' in parsed ? parsed.error.message : [parsed.call.executor, parsed.call.args];
}

test('directories are called by their names', () => {
  expect([called(PUSHD, { path: 'a' }), called(PUSHD, {}), called(POPD, {}), called(POPD, { path: 'a' })]).toEqual([
    ['pushd', { path: 'a' }],
    'path is missing',
    ['popd', {}],
    'unknown argument path (known: )',
  ]);
});

test('the model is told where it is and where popd leads', () => {
  const shown = [['/w'], ['/w', '/w/a'], ['/w', '/w/a', '/b']].map((stack) =>
    POPD.toParts({ value: { stack, cwd: stack.at(-1) }, observed: [] }, turn()),
  );
  expect(shown).toEqual([
    [{ type: 'text', text: 'The working directory is /w.' }],
    [{ type: 'text', text: 'The working directory is /w/a. popd leads back to /w.' }],
    [{ type: 'text', text: 'The working directory is /b. popd leads back to /w/a, then /w.' }],
  ]);
});

test('skills are listed in the description as the pieces that they are', () => {
  const piece = makePiece({
    id: 'skills',
    kind: 'skill-list',
    origin: { type: 'session' },
    placement: 'tools',
    rule: 'r',
    text: '- a: b',
  });
  const face = skillFace({ name: 'skill', description: 'Loads.\n', list: lay(piece, 'every-request') });
  expect([layoutText(face.description), checkLaid(face.description)]).toEqual(['Loads.\n\n- a: b', []]);
  expect(face.description.at(-1)).toEqual({ piece, trigger: 'every-request' });
  expect(layoutText(skillFace({ name: 'skill', description: 'Loads.\n', list: [] }).description)).toBe('Loads.');
  expect(called(face, { name: 'a' })).toEqual([HARNESS_EXECUTOR, { name: 'a' }]);
});

test('facets are named in the description, not all of very many', () => {
  const of = (names: readonly string[]) =>
    layoutText(facetFace({ name: 'switch_facet', description: 'Switches.\n', names }).description);
  const many = Array.from({ length: 42 }, (_, index) => `f${index}`);
  expect([of([]), of(['plan', 'execute']), of(many)]).toEqual([
    'Switches.',
    'Switches. Facets: plan, execute.',
    `Switches. Facets: ${many.slice(0, 40).join(', ')} and 2 more.`,
  ]);
  const face = facetFace({ name: 'switch_facet', description: '', names: ['plan'] });
  expect([called(face, { facet: 'plan' }), called(face, { facet: 1 })]).toEqual([
    [HARNESS_EXECUTOR, { facet: 'plan' }],
    'facet must be a string, not number',
  ]);
});
