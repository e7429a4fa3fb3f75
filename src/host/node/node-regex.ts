import type { Context } from 'node:vm';
import { findSpans, type RegexPort, type RegexSearch, type RegexSpans } from '../index.ts';

/** In a context of its own, whose execution V8 stops when the time is up, within a regular expression too. */
export function createNodeRegex(): RegexPort {
  let context: Context | undefined;
  return {
    async find(search, limitMs) {
      const { createContext, Script } = await import('node:vm');
      context ??= createContext(Object.create(null) as Context);
      context.search = search satisfies RegexSearch;
      try {
        const script = new Script(`(${findSpans.toString()})(search)`);
        const spans = script.runInContext(context, { timeout: Math.max(1, Math.ceil(limitMs)) }) as RegexSpans;
        return { spans: Array.from(spans), complete: true };
      } catch (error) {
        if ((error as { code?: unknown }).code !== 'ERR_SCRIPT_EXECUTION_TIMEOUT') throw error;
        return { spans: [], complete: false };
      } finally {
        context.search = undefined;
      }
    },
  };
}
