import { type CapturedRequest, viewRequest } from '../wire/rehearsal/index.ts';

export type CapturedTool = { name: string; description: string; schema: unknown };

/** The whole system prompt, as it was sent; empty where there was none. */
export function capturedSystem(request: CapturedRequest): string {
  return viewRequest(request.json).system;
}

/** The messages after the system message, in the wire's own words. */
export function capturedMessages(request: CapturedRequest): readonly Record<string, unknown>[] {
  return viewRequest(request.json).messages;
}

/** What was offered, in order. */
export function capturedTools(request: CapturedRequest): readonly CapturedTool[] {
  return viewRequest(request.json).tools;
}
