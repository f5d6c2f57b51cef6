// The listening address and scheme, changed in the window's Settings and remembered for the next start.

import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Locator } from '@playwright/test';
import { expect, openSection, rememberedSettings, test } from './launch.ts';
import { answerQuestion } from './native-dialogs.ts';

test('behaviour 15.1, 15.3: listening beyond this machine requires confirmation in a native dialog; HTTPS is remembered and served with the same certificate at the next start', async ({
  launch,
  userData,
}) => {
  const { app, page, bench } = await launch();
  await bench.ready();
  const remembered = () => rememberedSettings(userData);
  const section = await openSection(bench, 'Server');
  const listen = async (host: string, settings: Locator) => {
    const field = settings.getByRole('combobox', { name: 'Address' });
    await field.fill(host);
    await field.press('Escape');
    await settings.getByRole('button', { name: 'Listen' }).click();
  };
  const declined = await answerQuestion(app, 'Cancel');
  await listen('0.0.0.0', section);
  await expect.poll(declined).toHaveLength(1);
  await expect(section.getByRole('button', { name: 'Listen' })).toBeEnabled();
  expect(remembered()).toBeNull();

  const agreed = await answerQuestion(app, 'Listen on 203.0.113.1');
  await listen('203.0.113.1', section);
  await expect(section).toContainText('203.0.113.1 is not an address of this machine.');
  expect(await agreed()).toHaveLength(1);
  await expect(page.getByRole('banner')).toContainText('Running');
  expect(remembered()).toBeNull();

  await section.getByRole('switch', { name: 'HTTPS' }).click();
  await expect(page.getByRole('banner')).toContainText('https://localhost:');
  const file = join(userData, 'https', 'certificate.pem');
  await expect(section).toContainText(file);
  const certificate = readFileSync(file, 'utf8');
  await expect.poll(remembered).toMatchObject({ https: true, host: null });
  await app.close();

  const again = await launch();
  await again.bench.ready();
  await expect(again.page.getByRole('banner')).toContainText('https://localhost:');
  expect(readFileSync(file, 'utf8')).toBe(certificate);
  const reopened = await openSection(again.bench, 'Server');
  await reopened.getByRole('switch', { name: 'HTTPS' }).click();
  await expect(again.page.getByRole('banner')).toContainText('http://localhost:');
  await expect.poll(remembered).toMatchObject({ https: false, host: null });

  const unasked = await answerQuestion(again.app, 'Cancel');
  await listen('127.0.0.1', reopened);
  await expect.poll(remembered).toMatchObject({ https: false, host: '127.0.0.1' });
  expect(await unasked()).toEqual([]);
});
