// The documentation in the page: read, searched, reached by keys, and never loaded from a network.

import type { Page } from '@playwright/test';
import { expect, test } from './serve.ts';

const article = (page: Page) => page.getByRole('article', { name: 'Document' });
const field = (page: Page) => page.getByRole('searchbox', { name: 'Search the documentation' });
const index = (page: Page) => page.getByRole('navigation', { name: 'Documentation' });

test('F1 opens Help, its links stay in Help, and the back button returns; a section of the index scrolls to its heading, even a second time; Ctrl+F searches Help and opens what is found', async ({
  bench,
  ready,
  errors,
}) => {
  const { page } = bench;
  const foreign: string[] = [];
  page.on('request', (request) => {
    if (!request.url().startsWith(ready.control.url)) foreign.push(request.url());
  });
  await page.keyboard.press('F1');
  await expect(article(page).getByRole('heading', { level: 1 })).toHaveText('Documentation');
  await article(page).getByRole('link', { name: 'HTTPS', exact: true }).click();
  await expect(article(page).getByRole('heading', { level: 1 })).toHaveText(/HTTPS/);
  await expect(index(page).locator('[aria-current]')).toHaveText(/HTTPS/);
  await page.goBack();
  await expect(article(page).getByRole('heading', { level: 1 })).toHaveText('Documentation');

  await index(page).getByRole('link', { name: 'Behaviour', exact: false }).first().click();
  await expect(article(page).getByRole('heading', { level: 1 })).toHaveText(/Behaviour/);
  const section = index(page).locator('ul ul a').last();
  const name = await section.innerText();
  await section.click();
  const heading = article(page).getByRole('heading', { level: 2, name, exact: true });
  await expect(heading).toBeInViewport();
  await article(page).evaluate((element) => element.scrollTo({ top: 0 }));
  await expect(heading).not.toBeInViewport();
  await section.click();
  await expect(heading).toBeInViewport();

  await page.keyboard.press('ControlOrMeta+F');
  await expect(field(page)).toBeFocused();
  await page.keyboard.type('redundant token');
  await expect(index(page).getByRole('status')).toContainText('section');
  await index(page).getByRole('listitem').first().getByRole('link').click();
  await expect(article(page)).toContainText(/redundant token/i);
  await field(page).fill('zzz nothing');
  await expect(index(page).getByRole('status')).toHaveText('No matching sections');
  await field(page).press('Escape');
  await expect(index(page).getByRole('link', { name: 'Documentation' })).toBeVisible();
  expect(foreign).toEqual([]);
  expect(errors).toEqual([]);
});
