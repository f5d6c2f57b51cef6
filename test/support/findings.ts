// The findings of axe on a page, in the light and the dark theme.

import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import type axe from 'axe-core';
import type { Locator, Page } from '@playwright/test';

/** The minified one, since every page has to parse it. */
const AXE = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8');

/** The impacts that block users. */
const SEVERE = ['serious', 'critical'];

/** The rules on colours; all others have the same findings in both themes. */
const OF_COLOURS = ['color-contrast', 'link-in-text-block'];

/** The rail and the top bar, which look the same beside every view until something is held, injected or lost. */
const FRAME = ['nav[aria-label="Views"]', 'header:not(main *)'];

/** What is looked at: the whole page, the view without the frame, or only what has changed since the last look. */
type Part = 'all' | 'content' | Locator;

/** What an open dialog covers was looked at before. */
async function contextOf(page: Page, part: Part) {
  if (part === 'all') return { exclude: [] };
  if (part !== 'content') {
    const include = await part.elementHandles();
    if (include.length === 0) throw new Error(`There is no ${String(part)} to look at.`);
    return { include };
  }
  const dialog = '[role="dialog"][aria-modal="true"]';
  return (await page.locator(dialog).count()) > 0 ? dialog : { exclude: FRAME };
}

async function violationsOf(page: Page, part: Part, rules?: readonly string[]) {
  const isThere = await page.evaluate(() => 'axe' in globalThis);
  if (!isThere) await page.evaluate(AXE);
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
    text: `${id}: ${nodes.map(({ html }) => html).join(' | ')}`,
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

/** The page stays in the other theme, in which the next look begins. */
async function inBothThemes(page: Page, part: Part) {
  const found = await violationsOf(page, part);
  const isDark = await page.evaluate(() => matchMedia('(prefers-color-scheme: dark)').matches);
  const other = isDark ? 'light' : 'dark';
  await show(page, other);
  const inOther = await violationsOf(page, part, OF_COLOURS);
  return [...found, ...inOther.map(({ impact, text }) => ({ impact, text: `${other}: ${text}` }))];
}

/** All findings, each with its rule and elements. */
export const allFindings = async (page: Page): Promise<string[]> =>
  (await inBothThemes(page, 'all')).map(({ text }) => text);

/** The serious and critical findings. */
export const severeFindings = async (page: Page, part: Part = 'content'): Promise<string[]> =>
  (await inBothThemes(page, part))
    .filter(({ impact }) => SEVERE.includes(impact))
    .map(({ text }) => text);
