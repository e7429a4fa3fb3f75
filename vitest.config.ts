import { readFileSync } from 'node:fs';
import { defineConfig, type ViteUserConfig } from 'vitest/config';

/** Markdown is imported as text, as the build does it. */
const markdownAsText = {
  name: 'markdown-as-text',
  enforce: 'pre' as const,
  load(id: string): string | undefined {
    const file = id.split('?')[0] ?? id;
    return file.endsWith('.md') ? `export default ${JSON.stringify(readFileSync(file, 'utf8'))};` : undefined;
  },
};

const config: ViteUserConfig = defineConfig({
  plugins: [markdownAsText],
  test: {
    projects: [
      {
        extends: true,
        test: {
          name: 'unit',
          include: ['src/**/*.test.ts', 'test/unit/**/*.test.ts'],
          pool: 'threads',
          isolate: false,
        },
      },
      {
        extends: true,
        test: {
          name: 'program',
          include: [
            'conformance/**/*.test.ts',
            'test/program/**/*.test.ts',
            'test/architecture/**/*.test.ts',
            'test/pins/**/*.test.ts',
          ],
          pool: 'forks',
          testTimeout: 60_000,
        },
      },
    ],
  },
});

export default config;
