import { readFileSync } from 'node:fs';
import { defineConfig } from 'vitest/config';

const { version } = JSON.parse(readFileSync('package.json', 'utf8')) as { version: string };

/** These start programs: the command line, shells, an installed package, servers to attack. */
const PROGRAMS = ['test/{cli,hostile,package,snippets}/**/*.test.ts'];
const GROWTH = ['test/growth/**/*.test.ts'];
/** The page's state and logic, without a browser. */
const PAGE = ['test/renderer/**/*.test.ts'];
/** Third-party client libraries, installed by `npm run setup:test`. */
const CLIENTS = ['test/clients/*.test.ts'];
/** `grantbench check` of more client libraries, which takes minutes. */
const CLIENT_CHECKS = ['test/clients/checks/*.test.ts'];

export default defineConfig({
  define: { __APP_VERSION__: JSON.stringify(version) },
  test: {
    // By default, one core is left to the main process, which mostly waits.
    maxWorkers: '100%',
    testTimeout: 120_000,
    hookTimeout: 120_000,
    expect: { poll: { timeout: 30_000 } },
    projects: [
      {
        extends: true,
        test: {
          name: 'unit',
          include: ['test/**/*.test.ts'],
          exclude: [
            ...PROGRAMS,
            ...GROWTH,
            ...PAGE,
            ...CLIENTS,
            ...CLIENT_CHECKS,
            '**/node_modules/**',
          ],
          // No module of the product has state of its own, so test files share loaded modules.
          isolate: false,
        },
      },
      {
        extends: true,
        test: {
          name: 'page',
          include: PAGE,
          isolate: false,
          setupFiles: ['test/support/page-globals.ts'],
        },
      },
      { extends: true, test: { name: 'programs', include: PROGRAMS, isolate: false } },
      { extends: true, test: { name: 'growth', include: GROWTH } },
      { extends: true, test: { name: 'clients', include: CLIENTS } },
      { extends: true, test: { name: 'client-checks', include: CLIENT_CHECKS } },
    ],
  },
});
