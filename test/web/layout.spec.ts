// Every view with long names and many rows, at common widths: nothing overlaps, and truncated text ends with an
// ellipsis.

import type { Locator, Page } from '@playwright/test';
import type { Ready } from '../support/cli-process.ts';
import { ask, DEMO, exchange, issueCode } from '../support/token-calls.ts';
import { exchangeDetail, exchangeRow, STEPS, VIEWS, type ViewName } from '../support/workbench.ts';
import { expect, test } from './serve.ts';

const SIZES = [
  { width: 900, height: 600 },
  { width: 1280, height: 800 },
  { width: 1440, height: 900 },
];

const LONG = 'A name that somebody chose so that nobody takes it for that of another one of them';
const LONG_ID = 'an-identifier-that-is-longer-than-any-column-in-which-it-stands-0123456789';

/** Records with long names, and requests that get each of the marks, up to three at once. */
async function fill(ready: Ready): Promise<void> {
  const numbers = Array.from({ length: 24 }, (_, index) => index);
  for (const number of numbers) {
    await ask(ready, 'POST', '/clients', {
      client_id: number === 0 ? LONG_ID : `client-${number}`,
      client_name: `${LONG} ${number}`,
      redirect_uris: [`https://${LONG_ID}.example/callback/of/the/app`],
    });
    await ask(ready, 'POST', '/users', {
      sub: number === 0 ? LONG_ID : `user-${number}`,
      name: `${LONG} ${number}`,
      email: `somebody.with.a.long.address@${LONG_ID}.example`,
    });
  }
  await ask(ready, 'PATCH', `/clients/${DEMO.client_id}`, {
    grant_types: [
      'authorization_code',
      'refresh_token',
      'client_credentials',
      'urn:ietf:params:oauth:grant-type:device_code',
    ],
  });
  const { client_id, client_secret } = DEMO;
  const post = (path: string, body: Record<string, string>) =>
    fetch(new URL(path, ready.issuer), {
      method: 'POST',
      body: new URLSearchParams({ client_id, client_secret, ...body }),
    });
  await post('/oauth/device_authorization', { scope: 'openid profile email' });
  for (let sent = 0; sent < 32; sent += 1) {
    await post('/oauth/token', { grant_type: 'client_credentials' });
  }
  for (const match of [{ client_id: LONG_ID }, { client_id: null }]) {
    await ask(ready, 'POST', '/faults', {
      name: LONG,
      effect: { kind: 'expires_in', as: 'string' },
      when: 'after',
      match: { path: '/oauth/token', ...match },
    });
  }
  const { refresh_token } = (await (await exchange(ready, await issueCode(ready))).json()) as {
    refresh_token: string;
  };
  await post('/oauth/token?client_secret=in-the-query', {
    grant_type: 'refresh_token',
    refresh_token,
  });
}

/** Checks all views. A diagram is laid out again once its pane has its new size. */
const softly = expect.configure({ soft: true });

/** Lists elements that overlap, and text that is cut without an ellipsis. */
function faultsOfLayout(): string[] {
  interface Drawn {
    readonly element: Element;
    readonly what: string;
    readonly left: number;
    readonly top: number;
    readonly right: number;
    readonly bottom: number;
  }
  const faults: string[] = [];
  const drawn: Drawn[] = [];
  const isShown = (element: Element) =>
    element.checkVisibility({ visibilityProperty: true, opacityProperty: true }) &&
    element.closest('.visually-hidden') === null;
  const isOnTop = (
    element: Element,
    { left, top, right, bottom }: Omit<Drawn, 'element' | 'what'>,
  ) => {
    const hit = document.elementFromPoint((left + right) / 2, (top + bottom) / 2);
    return hit !== null && (hit.contains(element) || element.contains(hit));
  };
  const stuck = (element: Element) => {
    for (let at: Element | null = element; at !== null; at = at.parentElement) {
      if (getComputedStyle(at).position === 'sticky') return at;
    }
    return null;
  };
  const range = document.createRange();
  const texts = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
  for (let node = texts.nextNode(); node !== null; node = texts.nextNode()) {
    const element = node.parentElement;
    const what = (node.textContent ?? '').trim();
    if (what === '' || element === null || !isShown(element)) continue;
    range.selectNodeContents(node);
    const whole = range.getBoundingClientRect();
    const seen = { left: 0, top: 0, right: innerWidth, bottom: innerHeight };
    let [cut, scrolls, ends] = [false, false, false];
    for (
      let at: Element | null = element;
      at !== null && at !== document.body;
      at = at.parentElement
    ) {
      const { overflowX, overflowY, textOverflow } = getComputedStyle(at);
      if (overflowX === 'visible' && overflowY === 'visible') continue;
      const box = at.getBoundingClientRect();
      ends ||= textOverflow === 'ellipsis';
      scrolls ||= overflowX === 'auto' || overflowX === 'scroll';
      cut ||= !scrolls && (whole.right > box.right + 1 || whole.left < box.left - 1);
      seen.left = Math.max(seen.left, box.left);
      seen.top = Math.max(seen.top, box.top);
      seen.right = Math.min(seen.right, box.right);
      seen.bottom = Math.min(seen.bottom, box.bottom);
    }
    if (cut && !ends && whole.width > 0) faults.push(`“${what}” is cut without an ellipsis`);
    for (const line of range.getClientRects()) {
      const box = {
        left: Math.max(line.left, seen.left),
        top: Math.max(line.top, seen.top),
        right: Math.min(line.right, seen.right),
        bottom: Math.min(line.bottom, seen.bottom),
      };
      if (box.right - box.left < 2 || box.bottom - box.top < 2) continue;
      if (isOnTop(element, box)) drawn.push({ element, what: `“${what}”`, ...box });
    }
  }
  for (const icon of document.querySelectorAll('svg:not(svg svg)')) {
    const { left, top, right, bottom, width } = icon.getBoundingClientRect();
    if (width === 0 || width > 40 || !isShown(icon)) continue;
    const box = { left: left + 1, top: top + 1, right: right - 1, bottom: bottom - 1 };
    if (isOnTop(icon, box)) drawn.push({ element: icon, what: 'an icon', ...box });
  }
  for (const input of document.querySelectorAll('input')) {
    if (!isShown(input) || input === document.activeElement) continue;
    if (input.scrollWidth <= input.clientWidth + 1) continue;
    if (getComputedStyle(input).textOverflow === 'ellipsis') continue;
    faults.push(`the field “${input.value}” is cut without an ellipsis`);
  }
  drawn.forEach((one, at) => {
    for (const other of drawn.slice(at + 1)) {
      const wide = Math.min(one.right, other.right) - Math.max(one.left, other.left);
      const high = Math.min(one.bottom, other.bottom) - Math.max(one.top, other.top);
      if (one.element === other.element || wide <= 1.5 || high <= 3) continue;
      if (stuck(one.element) !== stuck(other.element)) continue;
      faults.push(`${one.what} covers ${other.what}`);
    }
  });
  if (document.documentElement.scrollWidth > innerWidth)
    faults.push('the page is wider than its window');
  return faults;
}

/** Opens a record or a row of the view, if it has one. */
const OPENS: Partial<Record<ViewName, (page: Page) => Promise<void>>> = {
  Clients: (page) => page.getByRole('link', { name: `${LONG} 0` }).click(),
  Users: (page) => page.getByRole('link', { name: LONG_ID }).click(),
  Traffic: (page) => page.getByRole('grid').getByRole('row').nth(2).click(),
  Tokens: (page) => page.getByRole('grid').getByRole('row').nth(2).click(),
  Faults: (page) => page.getByRole('link', { name: LONG }).first().click(),
};

const messagesOf = (page: Page) =>
  page.getByRole('listbox', { name: /Messages of this flow/ }).getByRole('option');

/** Labels of the diagram of the flow that are not between the lanes of their message. */
const astrayLabels = (page: Page) =>
  messagesOf(page).evaluateAll((options) =>
    options.flatMap((option) => {
      const arrows = [...option.querySelectorAll('g path')].map((path) =>
        path.getBoundingClientRect(),
      );
      const left = Math.min(...arrows.map((box) => box.left));
      const right = Math.max(...arrows.map((box) => box.right));
      return [...option.querySelectorAll('text[font-size="12"]')]
        .map((text) => ({ text: text.textContent, box: text.getBoundingClientRect() }))
        .filter(({ box }) => box.left < left - 2 || box.right > right + 2)
        .map(({ text }) => text);
    }),
  );

test('nothing overlaps in any view and size, truncated text ends with an ellipsis, and the labels of a diagram stay between their message’s lanes', async ({
  page,
  bench,
  ready,
}) => {
  await page.setViewportSize({ width: 1440, height: 900 });
  await bench.runAll();
  await expect(messagesOf(page)).toHaveCount(6);
  await expect.poll(() => astrayLabels(page)).toEqual([]);

  await fill(ready);
  await bench.listExchanges();
  await expect(page.getByRole('row', { name: /Deviation.*Advisory/ })).toBeVisible();
  for (const size of SIZES) {
    await page.setViewportSize(size);
    for (const view of VIEWS) {
      const where = `${view}, ${size.width}x${size.height}`;
      await bench.open(view);
      await softly.poll(() => page.evaluate(faultsOfLayout), where).toEqual([]);
      const open = OPENS[view];
      if (open === undefined) continue;
      await open(page);
      const close = page.getByRole('button', { name: /^Close the (editor|exchange|token)/ });
      await expect(close).toBeVisible();
      await softly.poll(() => page.evaluate(faultsOfLayout), `${where}, with a record`).toEqual([]);
      await close.click();
      if (view !== 'Traffic') continue;
      const grouping = page.getByRole('button', { name: 'Group by login' });
      await grouping.click();
      await page.getByRole('treegrid').press('End');
      await page.getByRole('row', { name: /ada signed in/ }).click();
      await softly.poll(() => page.evaluate(faultsOfLayout), `${where}, by login`).toEqual([]);
      await grouping.click();
    }
  }
});

test('after Save, an invalid field is visible with its message in every size', async ({
  page,
  bench,
}) => {
  await bench.open('Users');
  for (const size of SIZES) {
    await page.setViewportSize(size);
    await page.getByRole('button', { name: 'Add user' }).click();
    await page.getByRole('textbox', { name: 'Subject' }).fill('grace');
    await page.getByRole('textbox', { name: 'Custom claims' }).fill('{');
    await page.getByRole('textbox', { name: 'Subject' }).focus();
    await page.getByRole('button', { name: 'Save', exact: true }).click();
    const message = page.getByText(/^Line 1 /);
    await expect(message).toBeVisible();
    const covered = () =>
      message.evaluate((reported) => {
        const { left, right, bottom } = reported.getBoundingClientRect();
        const hit = document.elementFromPoint((left + right) / 2, bottom - 2);
        return hit === null || !reported.contains(hit);
      });
    await expect.poll(covered, `${size.width}x${size.height}`).toBe(false);
    await page.getByRole('button', { name: 'Discard' }).click();
    await page.getByRole('button', { name: 'Close the editor' }).click();
  }
});

test('a button has its word where nothing is cut for it: in the steps of every size, in the head of a list that has the window to itself, and in the top bar', async ({
  page,
  bench,
}) => {
  const main = page.getByRole('main');
  const words = (scope: Locator, name: string | RegExp, text: string) =>
    scope.getByRole('button', { name }).getByText(text, { exact: true });
  const cut = (titles: Locator) =>
    titles.evaluateAll((all) =>
      all
        .filter(({ scrollWidth, clientWidth }) => scrollWidth > clientWidth)
        .map(({ textContent }) => textContent),
    );
  await bench.runAll();
  for (const size of SIZES) {
    await page.setViewportSize(size);
    const where = `${size.width}x${size.height}`;
    await bench.open('Flow');
    const steps = page.getByRole('list', { name: 'Steps' });
    await expect(words(steps, /^Run: /, 'Run'), where).toHaveCount(5);
    await expect(words(steps, /^Break it: /, 'Break it'), where).toHaveCount(4);
    await expect(words(steps, /^Run from here: /, 'Run from here'), where).toBeVisible();
    const titles = STEPS.map((name) => steps.getByRole('button', { name, exact: true }));
    for (const title of titles) expect(await cut(title), where).toEqual([]);
    await bench.open('Traffic');
    for (const word of ['Hold', 'Pause', 'Logins', 'Sequence', 'Clear', 'Export']) {
      await expect(main.getByText(word, { exact: true }), `${word}, ${where}`).toBeVisible();
    }
    // A note that does not fit is below the visible line.
    const head = main.getByRole('heading', { name: 'Traffic', level: 2 }).locator('..');
    const isWhole = ({ scrollHeight, clientHeight }: Element) => scrollHeight < 2 * clientHeight;
    await expect(head).toContainText('6 exchanges');
    await expect.poll(() => head.evaluate(isWhole), where).toBe(true);
    await expect(words(page.getByRole('banner'), /^Theme: /, 'Theme')).toBeVisible({
      visible: size.width > 1360,
    });
  }
});

test('in a narrow window, the head of an exchange shows its status, though its number is hidden', async ({
  page,
  bench,
}) => {
  await page.setViewportSize({ width: 900, height: 600 });
  await bench.runAll();
  await bench.listExchanges();
  await exchangeRow(page, 3).click();
  const head = exchangeDetail(page)
    .getByRole('heading', { name: 'POST /oauth/token' })
    .locator('..');
  await expect(head.getByText('200', { exact: true })).toBeInViewport();
});
