export type {
  AnyExecutor,
  Executor,
  Limits,
  ToolContext,
  ToolOutcome,
} from './executor.ts';
export type { ToolFace } from './face.ts';
export type {
  EditArgs,
  EditValue,
  ReadArgs,
  ReadValue,
  ShellArgs,
  ShellValue,
  WriteArgs,
  WriteValue,
} from './values.ts';
