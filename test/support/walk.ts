// The whole flow by hand: redeem a code, read the token, refresh, exceed the limit, and see the counter.

import { expect } from '@playwright/test';
import { hammer, STEPS, type Workbench } from './workbench.ts';

export async function walkTheFlow(bench: Workbench): Promise<void> {
  await bench.runAll();
  for (const step of STEPS) await expect(bench.step(step)).toBeVisible();
  await expect(bench.step('Refresh')).toContainText('200');

  await bench.run('Issue a code');
  await expect(bench.step('Issue a code')).toContainText('303');
  await bench.run('Exchange the code');
  await expect(bench.step('Exchange the code')).toContainText('200');
  await expect(await bench.detail('Why')).toContainText(/All \d+ checks passed/);
  await expect(await bench.detail('Request')).toContainText('"grant_type"');
  await expect(await bench.detail('Response')).toContainText('"access_token"');
  const token = await bench.detail('Token');
  await expect(token).toContainText('Signature verified');
  await expect(token.getByRole('region', { name: 'Payload' })).toContainText('demo-app');
  await expect(token.getByRole('meter', { name: 'Remaining lifetime' })).toBeVisible();

  await bench.run('Read the token');
  await bench.run('Refresh');
  await expect(bench.step('Refresh')).toContainText('200');
  await bench.run('Call an API with it');
  await expect(bench.step('Call an API with it')).toContainText('sub ada');

  await hammer(bench);
  const counters = bench.page.getByRole('region', { name: 'Throttle counters' });
  await expect(counters.getByText('30 of 30').first()).toBeVisible();
  await expect(counters.getByText('429 now').first()).toBeVisible();
  await bench.page.getByRole('button', { name: 'Reset all…' }).click();
  await bench.page.getByRole('dialog').getByRole('button', { name: 'Reset all' }).click();
  await expect(bench.page.getByText('No counters', { exact: true })).toBeVisible();
}
