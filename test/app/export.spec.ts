// The window saves the files that the page exports and blocks every other download.

import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { ElectronApplication } from '@playwright/test';
import { expect, test } from './launch.ts';

/** Saves the next download to this file without a dialog. @returns a function that reads the state of the download */
async function nextDownload(app: ElectronApplication, file: string) {
  await app.evaluate(({ session }, path) => {
    const kept = globalThis as { download?: string };
    delete kept.download;
    session.defaultSession.once('will-download', (event, item) => {
      item.setSavePath(path);
      item.once('done', (_event, state) => (kept.download ??= state));
      // A download that was already cancelled never emits "done".
      if (event.defaultPrevented) kept.download = 'refused';
    });
  }, file);
  return () => app.evaluate(() => (globalThis as { download?: string }).download);
}

test('the window saves an export of the traffic and blocks a download that is not an export', async ({
  launch,
  userData,
}) => {
  const { app, page, bench } = await launch();
  await bench.ready();
  await bench.runAll();
  await bench.open('Traffic');
  const file = join(userData, 'traffic.har');
  await expect(page.getByText('End of list.')).toBeVisible();
  const saved = await nextDownload(app, file);
  await page.getByRole('button', { name: 'Export', exact: true }).click();
  await page.getByRole('menuitem', { name: 'HAR' }).click();
  await expect.poll(saved).toBe('completed');
  const { log } = JSON.parse(await readFile(file, 'utf8')) as { log: { entries: object[] } };
  expect(log.entries.length).toBeGreaterThan(2);

  const refused = await nextDownload(app, join(userData, 'page.html'));
  await page.evaluate(() => {
    const link = document.createElement('a');
    link.href = 'index.html';
    link.download = 'page.html';
    link.click();
  });
  await expect.poll(refused).toBe('refused');
});
