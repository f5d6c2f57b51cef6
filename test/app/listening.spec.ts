// The listening address and scheme, changed in the window's Settings and remembered for the next start.

import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Workbench } from '../support/workbench.ts';
import { answerQuestion } from './answer-question.ts';
import { expect, rememberedSettings, test } from './launch.ts';

async function openServer({ page, open }: Workbench) {
  await open('Settings');
  const sections = page.getByRole('navigation', { name: 'Settings' });
  await sections.getByRole('link', { name: 'Server', exact: true }).click();
  return page.getByRole('region', { name: 'Server', exact: true });
}

test('behaviour 15.1: HTTPS is remembered and served with the same certificate at the next start', async ({
  launch,
  userData,
}) => {
  const { app, page, bench } = await launch();
  await bench.ready();
  const section = await openServer(bench);
  await section.getByRole('switch', { name: 'HTTPS' }).click();
  await expect(page.getByRole('banner')).toContainText('https://localhost:');
  const file = join(userData, 'https', 'certificate.pem');
  await expect(section).toContainText(file);
  const certificate = readFileSync(file, 'utf8');
  const remembered = () => rememberedSettings(userData);
  await expect.poll(remembered).toMatchObject({ https: true, host: null });
  await app.close();

  const again = await launch();
  await again.bench.ready();
  await expect(again.page.getByRole('banner')).toContainText('https://localhost:');
  expect(readFileSync(file, 'utf8')).toBe(certificate);
  const settings = await openServer(again.bench);
  await settings.getByRole('switch', { name: 'HTTPS' }).click();
  await expect(again.page.getByRole('banner')).toContainText('http://localhost:');
  await expect.poll(remembered).toMatchObject({ https: false });
});

test('behaviour 15.3: listening beyond this machine requires confirmation in a native dialog', async ({
  launch,
  userData,
}) => {
  const { app, page, bench } = await launch();
  await bench.ready();
  const section = await openServer(bench);
  const field = section.getByRole('combobox', { name: 'Address' });
  const listen = async (host: string) => {
    await field.fill(host);
    await field.press('Escape');
    await section.getByRole('button', { name: 'Listen' }).click();
  };
  const declined = await answerQuestion(app, 'Cancel');
  await listen('0.0.0.0');
  await expect.poll(declined).toBe(1);
  await expect(section.getByRole('button', { name: 'Listen' })).toBeEnabled();
  expect(rememberedSettings(userData)).toBeNull();

  const agreed = await answerQuestion(app, 'Listen on 203.0.113.1');
  await listen('203.0.113.1');
  await expect(section).toContainText('203.0.113.1 is not an address of this machine.');
  expect(await agreed()).toBe(1);
  await expect(page.getByRole('banner')).toContainText('Running');
  expect(rememberedSettings(userData)).toBeNull();

  const unasked = await answerQuestion(app, 'Cancel');
  await listen('127.0.0.1');
  await expect.poll(() => rememberedSettings(userData)).toMatchObject({ host: '127.0.0.1' });
  expect(await unasked()).toBe(0);
});
