import type { TemplatePort } from '../harness/contract/index.ts';

/** Templates beyond the plain ones need the engine, which this version does not load yet. */
export const NO_ENGINE: TemplatePort = {
  render: async ({ name }) => ({
    type: 'failed',
    fault: {
      code: 'failed',
      message: 'this version renders plain templates only',
      name,
      line: null,
      column: null,
      variable: null,
    },
  }),
};
