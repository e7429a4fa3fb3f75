export type {
  CapturedRequest,
  RehearsalReply,
  RehearsalScript,
  RehearsalServer,
} from '../wire/index.ts';
export { createRehearsalModel, parseRehearsal, serveRehearsal } from '../wire/index.ts';
