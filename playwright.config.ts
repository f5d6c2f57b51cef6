import { defineConfig } from '@playwright/test';
import { browserLaunch } from './test/support/browser.ts';

export default defineConfig({
  timeout: 180_000,
  expect: { timeout: 30_000 },
  retries: 0,
  // One engine and one window at a time: the tests look at rates and at the clock.
  workers: 1,
  forbidOnly: Boolean(process.env['CI']),
  reporter: 'list',
  outputDir: 'test-results',
  use: { actionTimeout: 30_000, trace: 'retain-on-failure' },
  projects: [
    { name: 'app', testDir: 'test/app' },
    { name: 'web', testDir: 'test/web', use: { launchOptions: browserLaunch() } },
  ],
});
