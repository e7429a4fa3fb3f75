/**
 * Why an answer, or a turn, ended. Of an answer: end, calls, length (the output limit), filter. Of a turn: end,
 * max-turns, aborted, error, permission.
 */
export type StopReason = 'end' | 'calls' | 'length' | 'filter' | 'aborted' | 'error' | 'max-turns' | 'permission';
