import { expect, test } from 'vitest';
import { boundedDiagnostics } from './bounded-diagnostics.ts';
import type { Diagnostic } from './diagnostic.ts';

function fault(code: string, message: string): Diagnostic {
  return { severity: 'warning', code, message };
}

test('the first of each kind are told, and at the end how many more there are', () => {
  const other: Diagnostic = { severity: 'error', code: 'a/x', message: 'grave' };
  const many = ['1', '2', '3', '4'].map((number) => fault('a/x', number));
  expect(boundedDiagnostics([...many, other, fault('b/y', 'one')], 2)).toEqual([
    fault('a/x', '1'),
    fault('a/x', '2'),
    other,
    fault('b/y', 'one'),
    {
      severity: 'warning',
      code: 'diagnostics/more',
      message: '2 more of this kind (a/x) are not shown; rein context lists them all',
      data: { code: 'a/x', count: 2 },
    },
  ]);
});

test('few are told as they are', () => {
  const few = [fault('a/x', '1'), fault('a/x', '2'), fault('b/y', '1')];
  expect(boundedDiagnostics(few, 2)).toEqual(few);
});
