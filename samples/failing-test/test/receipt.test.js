import assert from 'node:assert/strict';
import { test } from 'node:test';
import { lineTotal } from '../src/pricing/line-total.js';
import { receipt } from '../src/receipt.js';

test('a line without a discount costs price times quantity', () => {
  assert.equal(lineTotal({ cents: 250, quantity: 3 }), 750);
});

test('a discount is rounded half up to a whole cent', () => {
  assert.equal(lineTotal({ cents: 333, quantity: 1, discountPercent: 50 }), 166);
});

test('a receipt lists its lines and their sum', () => {
  const lines = [
    { name: 'tea', cents: 250, quantity: 2 },
    { name: 'cake', cents: 333, quantity: 1, discountPercent: 50 },
  ];
  assert.equal(receipt(lines), '2 × tea: 5.00 €\n1 × cake: 1.66 €\ntotal: 6.66 €');
});
