// The findings of axe on a page, in the light and the dark theme.

import axe from 'axe-core';
import type { Page } from '@playwright/test';

/** The impacts that block users. */
const SEVERE = ['serious', 'critical'];

/** The rules on colours; all others have the same findings in both themes. */
const OF_COLOURS = ['color-contrast', 'link-in-text-block'];

/** The rail and the top bar, which look the same beside every view until something is held, injected or lost. */
const FRAME = ['nav[aria-label="Views"]', 'header:not(main *)'];

/** Which part of a page is looked at: all of it, or what a test made of it. */
type Part = 'all' | 'content';

/** What an open dialog covers was looked at before. */
async function contextOf(page: Page, part: Part): Promise<string | { exclude: string[] }> {
  if (part === 'all') return { exclude: [] };
  const dialog = '[role="dialog"][aria-modal="true"]';
  return (await page.locator(dialog).count()) > 0 ? dialog : { exclude: FRAME };
}

async function violationsOf(page: Page, part: Part, rules?: readonly string[]) {
  const isThere = await page.evaluate(() => 'axe' in globalThis);
  if (!isThere) await page.evaluate(axe.source);
  const options: axe.RunOptions = {
    resultTypes: ['violations'],
    // The pages have neither frames nor media.
    iframes: false,
    preload: false,
    ...(rules === undefined ? {} : { runOnly: [...rules] }),
  };
  const context = await contextOf(page, part);
  const { violations } = await page.evaluate(
    (wanted) =>
      (globalThis as unknown as { axe: typeof axe }).axe.run(wanted.context, wanted.options),
    { context, options },
  );
  return violations.map(({ id, impact, nodes }) => ({
    impact: impact ?? '',
    told: `${id}: ${nodes.map(({ html }) => html).join(' | ')}`,
  }));
}

async function show(page: Page, colorScheme: 'light' | 'dark'): Promise<void> {
  await page.emulateMedia({ colorScheme });
  // The workbench applies the theme with an attribute, after a delay; the server's pages only with styles.
  await page.waitForFunction(
    (scheme) => (document.documentElement.dataset['mantineColorScheme'] ?? scheme) === scheme,
    colorScheme,
  );
  await page.evaluate(() => new Promise(requestAnimationFrame));
}

async function inBothThemes(page: Page, part: Part) {
  const found = await violationsOf(page, part);
  const isDark = await page.evaluate(() => matchMedia('(prefers-color-scheme: dark)').matches);
  const [theme, other] = isDark ? (['dark', 'light'] as const) : (['light', 'dark'] as const);
  await show(page, other);
  const inOther = await violationsOf(page, part, OF_COLOURS);
  await show(page, theme);
  return [...found, ...inOther.map(({ impact, told }) => ({ impact, told: `${other}: ${told}` }))];
}

/** All findings, each with its rule and elements. */
export const allFindings = async (page: Page): Promise<string[]> =>
  (await inBothThemes(page, 'all')).map(({ told }) => told);

/** The serious and critical findings. */
export const severeFindings = async (page: Page, part: Part = 'content'): Promise<string[]> =>
  (await inBothThemes(page, part))
    .filter(({ impact }) => SEVERE.includes(impact))
    .map(({ told }) => told);
