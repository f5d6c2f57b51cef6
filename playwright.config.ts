import { availableParallelism } from 'node:os';
import { defineConfig } from '@playwright/test';
import { browserLaunch } from './scripts/test-runtimes.mjs';

export default defineConfig({
  timeout: 180_000,
  expect: { timeout: 30_000 },
  workers: Math.min(4, availableParallelism()),
  forbidOnly: Boolean(process.env['CI']),
  reporter: 'list',
  use: { actionTimeout: 30_000 },
  projects: [
    // One window at a time, since windows take the focus and the clipboard from each other.
    { name: 'app', testDir: 'test/app', workers: 1 },
    { name: 'package', testDir: 'test/installed', workers: 1 },
    // Each test has its own server, and each worker its own page: test/web/serve.ts.
    {
      name: 'web',
      testDir: 'test/web',
      fullyParallel: true,
      use: {
        // Scrollbars take up space, as they do in the window.
        launchOptions: { ...browserLaunch(), ignoreDefaultArgs: ['--hide-scrollbars'] },
        contextOptions: { reducedMotion: 'reduce' },
      },
    },
  ],
});
