import { expect, test } from 'vitest';
import { makePiece } from '../instructions/index.ts';
import type { Laid } from '../model/index.ts';
import type { ToolFace } from '../tools/contract/index.ts';
import { rig, say } from './test-rig.ts';

function described(name: string): Laid {
  const piece = makePiece({
    id: `tool/${name}`,
    kind: 'tool-description',
    origin: { type: 'shipped' },
    placement: 'tools',
    rule: 'For tests.',
    text: `Does ${name}.`,
  });
  return [{ separator: '- ' }, { piece, trigger: 'every-request' }];
}

function face(name: string, description: Laid): ToolFace {
  return {
    name,
    description,
    schema: { type: 'object' },
    toCall: () => ({ error: { code: 'tool/bad-arguments', message: 'never called' } }),
    toParts: () => [],
  };
}

test('a request keeps the layout of its system prompt and of each tool, one without text too', async () => {
  const faces = [
    face('a', described('a')),
    face('b', []),
    face('c', [{ separator: 'Does c.' }]),
    face('d', described('a')),
  ];
  const { session, parts } = rig([say('Hello.')], { harness: { tools: () => faces } });
  await session.send({ type: 'prompt', text: 'hi' });
  const [request] = parts.log.requests();
  const { log } = parts;
  expect(request?.tools.map(({ name, description }) => ({ name, description: log.fromLayout(description) }))).toEqual(
    faces.map(({ name, description }) => ({ name, description })),
  );
  expect(log.fromLayout(request?.system ?? []).map((item) => ('piece' in item ? item.piece.text : ''))).toEqual([
    'You are a test.',
  ]);
});
