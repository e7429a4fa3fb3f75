// What this wire says in place of what a server cannot take. A server without the quirk never gets any of it.

/** For servers that refuse calls without reasoning: whoever wrote them did not reason, or not for this model. */
export const NO_REASONING = '(no reasoning was recorded for this step)';

/** Before the pictures of results, in a user message of their own. */
export const PICTURES_FOLLOW = 'Pictures of the tool results above, in their order:';

/** Between results and a user message. */
export const RESULTS_READ = 'I have read the results.';

export function pictureLeftOut(mime: string, why: string): string {
  return `(${mime}: ${why})`;
}
