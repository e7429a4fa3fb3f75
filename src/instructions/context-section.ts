import type { FoundFile, Laid, Trigger } from '../model/index.ts';
import { joinLaid, lay } from './layout.ts';
import { filePiece } from './piece.ts';

export type ContextSectionForm = {
  /** The whole header, blank lines included; written once, and only where there is a file. */
  header: string;
  fileHeading(file: FoundFile): string;
  afterFile: string;
  trigger: Trigger;
  rule: string;
  requirement?: string;
};

/**
 * The section of a system prompt that carries context files, in the order given. A file's text goes in as it was read:
 * neither trimmed nor escaped. No file: nothing at all.
 */
export function contextSection(files: readonly FoundFile[], form: ContextSectionForm): Laid {
  if (files.length === 0) return [];
  const { rule, requirement } = form;
  const fields = {
    kind: 'context-file',
    placement: 'system',
    rule,
    ...(requirement === undefined ? {} : { requirement }),
  } as const;
  return joinLaid(
    form.header,
    ...files.flatMap((file) => [form.fileHeading(file), lay(filePiece(file, fields), form.trigger), form.afterFile]),
  );
}
