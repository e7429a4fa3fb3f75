export type {
  AnyExecutor,
  Executor,
  Limits,
  ToolContext,
  ToolOutcome,
} from './executor.ts';
export type { ToolFace } from './face.ts';
export type { Question, QuestionAnswer, QuestionPort } from './question-port.ts';
export type {
  AskArgs,
  AskValue,
  EditArgs,
  EditValue,
  FetchArgs,
  FetchValue,
  GlobArgs,
  GlobValue,
  GrepArgs,
  GrepFile,
  GrepRow,
  GrepValue,
  ReadArgs,
  ReadValue,
  SearchGaps,
  SearchStop,
  ShellArgs,
  ShellValue,
  TodoArgs,
  TodoValue,
  WriteArgs,
  WriteValue,
} from './values.ts';
