import { type Requirement, requirements } from './requirement.ts';

export const REIN: readonly Requirement[] = [
  ...requirements('rein', 'now', {
    R7: 'Instructions are never given to the summariser as conversation.',
    R1: 'Any request of a stored session is rebuilt byte for byte from its log alone.',
    R2: 'Every byte of a system prompt and every injected message is traced to its piece, as it was when sent.',
    R3a: 'What was searched, found, skipped, shadowed, cut or is pending is shown with the reason, as JSON and in print, before anything is sent.',
  }),
  ...requirements('rein', 'terminal', { R3b: 'The terminal shows the same.' }),
  ...requirements('rein', 'facets', {
    R4: 'A conversation goes on under another harness; the difference of the next request is shown first.',
  }),
  ...requirements('rein', 'other-agents', {
    R5: 'What other agents would read here is predicted and compared.',
  }),
  ...requirements('rein', 'lint', { R6: 'Instruction files are linted.' }),
];
