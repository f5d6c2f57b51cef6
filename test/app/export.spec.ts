// Files that the page makes are saved from the window too; nothing else can be downloaded.

import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { ElectronApplication } from '@playwright/test';
import { expect, test } from './launch.ts';

/** Stands in for the dialog that asks where to save; answers how the next download goes. */
async function nextDownload(app: ElectronApplication, file: string) {
  await app.evaluate(({ session }, path) => {
    const kept = globalThis as { download?: string };
    delete kept.download;
    session.defaultSession.once('will-download', (event, item) => {
      item.setSavePath(path);
      item.once('done', (_event, state) => (kept.download ??= state));
      // It was refused before we came, when nobody will finish it.
      if (event.defaultPrevented) kept.download = 'refused';
    });
  }, file);
  return () => app.evaluate(() => (globalThis as { download?: string }).download);
}

test('traffic is exported from the window', async ({ launch, userData }) => {
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
});

test('nothing else is downloaded', async ({ launch, userData }) => {
  const { app, page, bench } = await launch();
  await bench.ready();
  const refused = await nextDownload(app, join(userData, 'page.html'));
  await page.evaluate(() => {
    const link = document.createElement('a');
    link.href = 'index.html';
    link.download = 'page.html';
    link.click();
  });
  await expect.poll(refused).toBe('refused');
});
