import { runTemplate, type TemplateEnginePort, type TemplateEnvironment } from '../index.ts';

/** MiniJinja itself in this thread, bounded by its fuel only: for tests with templates that end. */
export const MEMORY_TEMPLATES: TemplateEnginePort = {
  prepare: () => undefined,
  async run(job) {
    const { Environment } = await import('minijinja-js');
    try {
      return runTemplate(() => new Environment() as TemplateEnvironment, job);
    } catch {
      return { type: 'failed', failure: { why: 'memory' } };
    }
  },
};
