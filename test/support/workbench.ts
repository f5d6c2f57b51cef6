// The workbench page as a user sees it, in the window and in a browser tab: views, steps and the selected exchange.

import { expect, type Download, type Locator, type Page } from '@playwright/test';

export const STEPS = [
  'Client',
  'Issue a code',
  'Exchange the code',
  'Read the token',
  'Refresh',
  'Call an API with it',
] as const;
/** A step of any grant. */
export type Step =
  | (typeof STEPS)[number]
  | 'Request the codes'
  | 'Approve or deny'
  | 'Poll for the tokens'
  | 'Sign an assertion'
  | 'Send the assertion'
  | 'Send the password';

export const VIEWS = [
  'Flow',
  'Clients',
  'Users',
  'Requests',
  'Tokens',
  'Devices',
  'Traffic',
  'Throttling',
  'Faults',
  'Check your app',
  'Settings',
  'Help',
] as const;
export type ViewName = (typeof VIEWS)[number];

/** The open exchange, beside the list or the step. */
export const exchangeDetail = (page: Page): Locator =>
  page.getByRole('region', { name: 'Exchange', exact: true });

/** Its row in Traffic. */
export const exchangeRow = (page: Page, number: number): Locator =>
  page.locator(`#exchange-${number}`);

/** Opens the palette and searches in it. @returns the search field */
export async function lookFor(page: Page, words: string): Promise<Locator> {
  await page.keyboard.press('ControlOrMeta+K');
  const field = page.getByRole('combobox', { name: 'Search commands' });
  await field.fill(words);
  return field;
}

/** Runs the first command that the palette finds. */
export async function runCommand(page: Page, words: string): Promise<void> {
  const field = await lookFor(page, words);
  const palette = page.getByRole('dialog', { name: 'Command palette' });
  await expect(palette.getByRole('option', { selected: true })).toBeVisible();
  await field.press('Enter');
}

export interface Workbench {
  readonly page: Page;
  /** Waits until the server runs, and the page is connected and has loaded its lists and view. */
  ready(): Promise<void>;
  /** Opens the view and waits for its code. */
  open(view: ViewName): Promise<void>;
  /** Opens Traffic, with each exchange in a row instead of grouped by login. */
  listExchanges(): Promise<void>;
  step(step: Step): Locator;
  run(step: Step): Promise<void>;
  runAll(): Promise<void>;
  chooseGrant(title: string): Promise<void>;
  /** Makes a deliberate mistake of the step, which gets the expected response. */
  breakIt(step: Step, mistake: string): Promise<void>;
  /** Exports the flow in the way with this title. */
  download(way: 'Report (HTML)' | 'Scenario (JSON)'): Promise<Download>;
  /** A tab of the exchange details on the right. */
  detail(tab: 'Why' | 'Request' | 'Response' | 'Token' | 'Clock'): Promise<Locator>;
}

export function workbench(page: Page): Workbench {
  const steps = page.getByRole('list', { name: 'Steps' });
  const runAllButton = page.getByRole('button', { name: 'Run all', exact: true });
  const viewIsShown = async () => {
    await expect(page.getByText('Connecting to Grantbench…')).toHaveCount(0);
    await expect(page.getByRole('main').locator('[aria-busy="true"]')).toHaveCount(0);
  };
  const open = async (view: ViewName) => {
    const link = page.getByRole('navigation', { name: 'Views' }).getByRole('link', { name: view });
    await link.click();
    await expect(link).toHaveAttribute('aria-current', 'page');
    await viewIsShown();
  };
  const step = (title: Step) =>
    steps
      .getByRole('listitem')
      .filter({ has: page.getByRole('button', { name: title, exact: true }) });
  return {
    page,
    ready: async () => {
      await expect(page.getByRole('banner').getByText('Running')).toBeVisible();
      await viewIsShown();
    },
    open,
    listExchanges: async () => {
      await open('Traffic');
      await page.getByRole('button', { name: 'Group by login', pressed: true }).click();
    },
    step,
    run: async (title) => {
      await page.getByRole('button', { name: `Run: ${title}`, exact: true }).click();
      await expect(runAllButton).toBeEnabled();
    },
    runAll: async () => {
      await runAllButton.click();
      // The button reads "Running…" until the last step is done.
      await expect(runAllButton).toBeEnabled({ timeout: 30_000 });
    },
    chooseGrant: async (title) => {
      await page.getByRole('combobox', { name: 'Grant', exact: true }).click();
      await page.getByRole('option', { name: title }).click();
    },
    breakIt: async (title, mistake) => {
      await page.getByRole('button', { name: `Break it: ${title}`, exact: true }).click();
      await page.getByRole('menuitem', { name: new RegExp(`^${mistake}`) }).click();
      await expect(step(title)).toContainText(`${mistake}:`);
      await expect(step(title)).toContainText('matched');
    },
    download: async (way) => {
      const coming = page.waitForEvent('download');
      await page.getByRole('button', { name: 'Export', exact: true }).click();
      await page.getByRole('menuitem', { name: way }).click();
      return coming;
    },
    detail: async (tab) => {
      const exchange = exchangeDetail(page);
      await exchange.getByRole('tab', { name: tab, exact: true }).click();
      return exchange.getByRole('tabpanel', { name: tab, exact: true });
    },
  };
}

/** Sends refreshes in the Throttling view until the limit is exceeded; that view stays open. */
export async function hammer({ page, open }: Workbench): Promise<void> {
  await open('Throttling');
  const panel = page.getByRole('region', { name: 'Hammer', exact: true });
  await panel.getByRole('button', { name: /^Send/ }).click();
  await expect(panel).toContainText('429 too_many_requests');
  await expect(panel.getByRole('button', { name: /^Send/ })).toBeEnabled();
}
