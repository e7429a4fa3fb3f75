import { compileGlob, type GlobPattern } from './glob-pattern.ts';

type Rule = { pattern: GlobPattern; keeps: boolean; directoriesOnly: boolean };

/** What one `.gitignore` says of paths below its directory. */
export type IgnoreRules = {
  /** `path` from the file's directory. Null: it says nothing. */
  judge(path: string, isDirectory: boolean): 'ignored' | 'kept' | null;
};

const MAX_RULES = 10_000;

/**
 * Git's rules: the last line that matches decides, `!` keeps, a `/` at the end means directories, one before that ties
 * the pattern to the file's own directory. Braces are alternatives, as ripgrep has them. A line that is no pattern is
 * passed over.
 */
export function parseIgnoreFile(text: string): IgnoreRules {
  const rules = text
    .replace(/^\ufeff/, '')
    .split('\n', MAX_RULES)
    .flatMap((line) => parseRule(line) ?? []);
  return {
    judge(path, isDirectory) {
      const rule = rules.findLast(
        ({ pattern, directoriesOnly }) => (isDirectory || !directoriesOnly) && pattern.matches(path),
      );
      if (rule === undefined) return null;
      return rule.keeps ? 'kept' : 'ignored';
    },
  };
}

function parseRule(line: string): Rule | null {
  let text = withoutTrailingSpace(line.replace(/\r$/, ''));
  if (text === '' || text.startsWith('#')) return null;
  const keeps = text.startsWith('!');
  if (keeps) text = text.slice(1);
  const directoriesOnly = text.endsWith('/');
  if (directoriesOnly) text = text.slice(0, -1);
  const pattern = compileGlob(text.includes('/') ? text : `**/${text}`);
  return pattern === null ? null : { pattern, keeps, directoriesOnly };
}

/** Spaces at the end do not count unless a backslash stands before them. */
function withoutTrailingSpace(line: string): string {
  return line.replace(/(\\ )? *$/, '$1');
}
