import type { Json } from '../../model/index.ts';

/** What the shipped reviewer of plans gives (spec/polytoken.md 8.2). */
export const REVIEW_SCHEMA: Json = {
  type: 'object',
  properties: {
    summary: { type: 'string', description: 'The judgement in a few sentences.' },
    findings: {
      type: 'array',
      description: 'The gravest first; empty: none.',
      items: {
        type: 'object',
        properties: {
          severity: { enum: ['critical', 'high', 'medium', 'low'] },
          title: { type: 'string' },
          detail: { type: 'string', description: 'What goes wrong, and in which case.' },
          location: { type: 'string', description: 'In the plan or the code.' },
          suggested_fix: { type: 'string' },
        },
        required: ['severity', 'title', 'detail'],
        additionalProperties: false,
      },
    },
    limitations: { type: 'array', items: { type: 'string' }, description: 'What could not be checked.' },
  },
  required: ['summary', 'findings'],
  additionalProperties: false,
};
