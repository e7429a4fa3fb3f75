import { describe, expect, test } from 'vitest';
import { POLYTOKEN_FORM } from '../polytoken/form.ts';
import { REIN_FORM } from '../rein/form.ts';
import { turn } from '../test-scenario.ts';
import { facetedSources } from './sources.ts';

function sources(form: typeof REIN_FORM, own: Record<string, unknown> = {}): ReturnType<typeof facetedSources> {
  return facetedSources(form, turn({ settings: { own } }).settings);
}

describe.each([REIN_FORM, POLYTOKEN_FORM])('$name', (form) => {
  test('looks for its texts in these places, in this order, and no others', async () => {
    const shown = sources(form).map((query) => JSON.stringify(query, null, 2));
    await expect(`${shown.join('\n\n')}\n`).toMatchFileSnapshot(`./goldens/sources-${form.name}.txt`);
  });

  test('the largest body that is sent is the user’s to say; what is no size is not heeded', () => {
    const caps = [
      { max_file_bytes: 100 },
      { max_file_bytes: 0 },
      { max_file_bytes: -1 },
      { max_file_bytes: 'x' },
      {},
    ].map((own) => sources(form, own)[0]?.cap);
    expect(caps).toEqual([100, 0, 65_536, 65_536, 65_536]);
  });
});
