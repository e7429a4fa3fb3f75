import type { FoundFile } from '../../model/index.ts';

export type Skill = {
  name: string;
  /** One line. */
  description: string;
  /** What `tag!x` in a facet's lists stands for. */
  tags: readonly string[];
  /** The model is not told of it; a person may still call it. */
  hidden: boolean;
  /** As written, `Bash(git:*)` included; null: the skill says nothing of tools. */
  allowedTools: readonly string[] | null;
  /** The body is a template. */
  rendered: boolean;
  file: FoundFile;
  /** The text after the front matter, and the file's line, from 1, that it begins at. */
  body: { text: string; line: number };
};

export type SkillRules = {
  /** Below one of these keys the front matter speaks to this program; the first that is there counts. */
  productKeys: readonly string[];
};
