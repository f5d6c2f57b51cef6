// What a screen reader announces, in which order Tab moves, and that everything is reachable in a small window.

import type { Locator, Page } from '@playwright/test';
import { ask } from '../support/token-calls.ts';
import { VIEWS } from '../support/workbench.ts';
import { expect, test } from './serve.ts';

/** The regions of Flow after a complete run. */
const FLOW = {
  Steps: `
    - region "Steps":
      - heading "Authorization code" [level=2]:
        - combobox "Grant": Authorization code
      - button "Run all"
      - list "Steps":
        - listitem:
          - text: done
          - button "Client"
          - code: demo-app
          - paragraph: Demo application · 1 redirect URI
        - listitem:
          - text: done
          - button "Issue a code"
          - 'button "Run: Issue a code"'
          - 'button "Break it: Issue a code"'
          - text: "303"
          - paragraph: for ada · redeemed
        - listitem:
          - text: done
          - button "Exchange the code"
          - 'button "Run: Exchange the code"'
          - 'button "Break it: Exchange the code"'
          - text: "200"
          - paragraph: /JSON · expires in 1 d · \\d+ checks passed/
        - listitem:
          - text: done
          - button "Read the token"
          - 'button "Run: Read the token"'
          - text: verified
          - paragraph: /RS256 with a key published in the JWK Set · expires in 1 d \\(exp\\)/
        - listitem:
          - text: done
          - button "Refresh"
          - 'button "Run: Refresh"'
          - 'button "Break it: Refresh"'
          - text: "200"
        - listitem:
          - text: done
          - button "Call an API with it"
          - 'button "Run: Call an API with it"'
          - 'button "Break it: Call an API with it"'
          - text: "200"
          - paragraph: sub ada · 2 more claims
      - status: "Call an API with it: done. sub ada · 2 more claims."
      - button "Connect your app no requests yet"`,
  Sequence: `
    - region "Sequence":
      - heading "Sequence" [level=2]
      - text: 6 messages
      - button "Saved"
      - button "Export"
      - button "Clear"
      - listbox "Messages of this flow, oldest first":
        - 'option /App to Authorization: GET .authorize, 200 sign-in page/'
        - 'option /App to Authorization: POST .authorize · decision approve, 303 code .+ ada approved openid profile email/'
        - 'option /App to Token service: POST .oauth.token · code .+, 200 access, refresh and ID token/ [selected]'
        - 'option /API to Token service: GET ..well-known.jwks.json, 200 OK/'
        - 'option /App to Token service: POST .oauth.token · refresh token .+, 200 access token/'
        - 'option /App to API: GET .userinfo · Bearer .+, 200 claims of ada/'`,
  Exchange: `
    - region "Exchange":
      - heading "POST /oauth/token" [level=2]
      - text: '/200 #\\d+/'
      - button "Copy as curl"
      - tablist:
        - tab "Why"
        - tab "Request"
        - tab "Response"
        - tab "Token" [selected]
        - tab "Clock"
      - tabpanel "Token":
        - radiogroup "Token":
          - radio "Access token" [checked]
          - radio "Refresh token"
          - radio "ID token"
        - button "Copy access token"
        - status: Signature verified RS256 with a key published in the JWK Set
        - meter "Remaining lifetime"
        - region "Header":
          - heading "Header" [level=3]
        - region "Payload":
          - heading "Payload" [level=3]
        - region "Encoded":
          - heading "Encoded" [level=3]`,
};

/** The regions of Traffic after it, with the refresh selected. */
const TRAFFIC = {
  Traffic: `
    - region "Traffic":
      - heading "Traffic" [level=2]
      - text: 6 exchanges
      - textbox "Go to exchange number"
      - button "Pause the list"
      - button "Show as sequence"
      - button "Since the app connected" [disabled]
      - button "Clear from view"
      - button "Export"
      - search "Filter exchanges":
        - textbox "Filter by text"
        - button "Rejected"
        - button "Filter"
      - treegrid "Exchanges":
        - rowgroup:
          - row "No. Time Path Grant By Status Cause":
            - columnheader "No.":
              - separator "Width of No."
            - columnheader "Time"
            - columnheader "Path"
            - columnheader "Grant"
            - columnheader "By"
            - columnheader "Status"
            - columnheader "Cause"
        - rowgroup:
          - row /200 ada signed in, refreshed once, called userinfo once 5 exchanges/ [expanded]:
            - gridcell "#1"
            - gridcell
            - gridcell:
              - 'button "Show as sequence: login #1"'
              - 'button "Compare login #1" [disabled]'
          - row /authorize 200/
          - row /authorize 303/
          - row /token code 200/
          - row /token refresh 200/ [selected]:
            - gridcell "#5"
            - gridcell
            - gridcell "/oauth/token"
            - gridcell "refresh"
            - gridcell "Sent by the workbench"
            - gridcell "200"
            - gridcell
          - row /userinfo 200/
          - row /jwks.json 200/
        - rowgroup:
          - row "End of list."`,
  Exchange: `
    - region "Exchange":
      - heading "POST /oauth/token" [level=2]
      - text: '/200 #5/'
      - button "Copy as curl, without secrets"
      - button "Resend"
      - button "More for this exchange"
      - button "Close the exchange"
      - term: Sent by
      - definition: Workbench
      - tablist:
        - tab "Why" [selected]
      - tabpanel "Why":
        - list "Notes":
          - listitem
        - list "Checks, in the order of evaluation":
          - listitem`,
};

async function expectTrees(page: Page, trees: Readonly<Record<string, string>>): Promise<void> {
  for (const [name, tree] of Object.entries(trees))
    await expect(page.getByRole('region', { name, exact: true })).toMatchAriaSnapshot(tree);
}

test('the accessibility tree of Flow contains steps, messages with their responses, and the decoded token; that of Traffic filters, the grid with its columns, and the selected exchange', async ({
  page,
  bench,
}) => {
  await bench.runAll();
  await expectTrees(page, FLOW);

  await bench.open('Traffic');
  await expect(
    page.getByRole('region', { name: 'Traffic' }).getByText('6 exchanges'),
  ).toBeVisible();
  await page.getByRole('row', { expanded: false }).click();
  await page.getByRole('row', { name: /refresh/, level: 2 }).click();
  await expectTrees(page, TRAFFIC);
});

/** The Tab stops and their unscrolled positions, in Tab order, until Tab leaves the page. */
async function tabStops(page: Page, most: number) {
  const log = await page.evaluateHandle(() => {
    const stops: { readonly name: string; readonly region: string; readonly y: number }[] = [];
    const listening = new AbortController();
    const addFocused = () => {
      const focused = document.activeElement;
      if (focused === null || focused === document.body) {
        listening.abort();
        return;
      }
      const region = focused.closest('header, nav, section, footer');
      let scrolled = 0;
      for (let box = focused.parentElement; box !== null; box = box.parentElement) {
        scrolled += box.scrollTop;
      }
      stops.push({
        name: focused.getAttribute('aria-label') ?? focused.textContent.trim().slice(0, 40),
        region: `${region?.tagName ?? ''} ${region?.getAttribute('aria-label') ?? ''}`.trim(),
        y: Math.round(focused.getBoundingClientRect().top + scrolled),
      });
    };
    (document.activeElement as HTMLElement | null)?.blur();
    addEventListener('keyup', addFocused, { capture: true, signal: listening.signal });
    return { stops, listening };
  });
  for (let press = 1; press <= most; press += 1) {
    await page.keyboard.press('Tab');
    if (press % 8 === 0 && (await log.evaluate(({ listening }) => listening.signal.aborted))) break;
  }
  return log.evaluate(({ stops, listening }) => {
    listening.abort();
    return stops;
  });
}

/** The tops of two stops on one line differ by less, as with a tall field beside a button. */
const SAME_LINE = 24;

/** Controls that cannot be pressed even after they were scrolled into view. */
async function outOfReach(view: Locator): Promise<string[]> {
  return view.evaluate((root) => {
    const controls = root.querySelectorAll<HTMLElement>(
      'button, a[href], input:not([type=hidden]), textarea, [role=tab], [role=switch]',
    );
    const lost = (control: HTMLElement) => {
      if (!control.checkVisibility({ visibilityProperty: true, opacityProperty: true }))
        return false;
      // The input of a switch or a radio is hidden below its drawing.
      if (control.matches('input[type=checkbox], input[type=radio]')) return false;
      control.scrollIntoView({ block: 'center', inline: 'center' });
      const { left, top, width, height } = control.getBoundingClientRect();
      const found = document.elementFromPoint(left + width / 2, top + height / 2);
      return found === null || !(control.contains(found) || found.contains(control));
    };
    return [...controls]
      .filter(lost)
      .map((control) => control.getAttribute('aria-label') ?? control.textContent.trim());
  });
}

test('Tab order is the visual order: top to bottom in every region, and each region only once; every control of every view is reachable at 1280 by 800 at 200%', async ({
  page,
  bench,
}) => {
  await page.setViewportSize({ width: 1440, height: 900 });
  await bench.runAll();
  for (const view of VIEWS) {
    await bench.open(view);
    const stops = await tabStops(page, 60);
    expect.soft(stops, view).not.toEqual([]);
    const upward = stops.flatMap((stop, index) => {
      const before = stops[index - 1];
      const back =
        before?.region === stop.region && stop.y < before.y - SAME_LINE ? [before, stop] : [];
      return back.map(({ name }) => name);
    });
    expect.soft(upward, `${view}: from one up to the other`).toEqual([]);
    const regions = stops.map(({ region }) => region).filter((one, at, all) => one !== all[at - 1]);
    expect.soft(regions.length, `${view}: ${regions.join(', ')}`).toBe(new Set(regions).size);
  }

  await page.setViewportSize({ width: 640, height: 400 });
  for (const view of VIEWS) {
    await bench.open(view);
    await expect.soft.poll(() => outOfReach(page.locator('body')), view).toEqual([]);
  }
});

test('the tooltip of a view closes when it opens; in Clients, a truncated right-to-left name keeps its beginning, Add focuses the new field, and removing keeps the focus in the list', async ({
  page,
  bench,
  ready,
}) => {
  await page.setViewportSize({ width: 800, height: 600 });
  const link = page
    .getByRole('navigation', { name: 'Views' })
    .getByRole('link', { name: 'Tokens' });
  await link.hover();
  await expect(page.getByRole('tooltip', { name: 'Tokens' })).toBeVisible();
  await link.click();
  await expect(link).toHaveAttribute('aria-current', 'page');
  await expect(page.getByRole('tooltip')).toHaveCount(0);
  await page.setViewportSize({ width: 1280, height: 720 });

  const client_name = 'متجر الكتب الإلكتروني الكبير للقراء والباحثين عن المعرفة في كل مكان وزمان';
  await ask(ready, 'POST', '/clients', { client_id: 'books', client_name });
  await bench.open('Clients');
  const cell = page.getByRole('cell', { name: client_name });
  const shown = () =>
    cell.evaluate((one) => {
      const text = document.createTreeWalker(one, NodeFilter.SHOW_TEXT).nextNode();
      if (text === null) throw new Error('the name is not there');
      const first = document.createRange();
      first.setStart(text, 0);
      first.setEnd(text, 1);
      const { left, right } = one.getBoundingClientRect();
      const letter = first.getBoundingClientRect();
      return {
        cut: one.scrollWidth > one.clientWidth,
        beginning: letter.left >= left && letter.right <= right,
      };
    });
  await expect.poll(shown).toEqual({ cut: true, beginning: true });

  await page.getByRole('link', { name: 'Demo application' }).click();
  await page.getByRole('button', { name: 'Add redirect URI' }).click();
  await expect(page.getByRole('textbox', { name: 'Redirect URI 2' })).toBeFocused();
  await page.getByRole('button', { name: 'Remove redirect URI 2' }).click();
  await expect(page.getByRole('textbox', { name: 'Redirect URI 1' })).toBeFocused();
  await page.getByRole('button', { name: 'Remove redirect URI 1' }).click();
  await expect(page.getByRole('button', { name: 'Add redirect URI' })).toBeFocused();
});

test('the focus stays at a button that cannot be used meanwhile, and goes to one near it when its own action disables or removes it', async ({
  page,
  bench,
  ready,
}) => {
  const main = page.getByRole('main');
  const button = (name: string | RegExp) => main.getByRole('button', { name });
  await ask(ready, 'POST', '/faults', { when: 'instead', effect: { kind: 'drop' } });
  await bench.listExchanges();
  await expect(button('Clear from view')).toBeDisabled();
  await fetch(ready.issuer).catch(() => undefined);
  await expect(button('Clear from view')).toBeEnabled();
  await button('Clear from view').press('Enter');
  await expect(button('Hold')).toBeFocused();

  await bench.open('Faults');
  await button('Turn all off').press('Enter');
  await expect(button('New rule')).toBeFocused();

  await bench.open('Clients');
  await main.getByRole('link', { name: 'Demo application' }).click();
  const name = main.getByRole('textbox', { name: 'Name', exact: true });
  await name.fill('Shop');
  await button('Save').press('Enter');
  await expect(main.getByText('Nothing to save')).toBeVisible();
  await expect(button('Save')).toBeFocused();
  await name.fill('Books');
  await button('Discard').press('Enter');
  await expect(button('Save')).toBeFocused();

  await bench.open('Settings');
  await main.getByRole('link', { name: 'APIs', exact: true }).click();
  await button('Add audience').press('Enter');
  const dialog = page.getByRole('dialog');
  await dialog.getByLabel('Name').fill('Orders');
  await dialog.getByRole('button', { name: 'Discard' }).press('Enter');
  await expect(dialog.getByRole('button', { name: 'Save' })).toBeFocused();
  await dialog.getByLabel('Name').fill('Orders');
  for (const key of ['Enter', 'Escape', 'Enter']) {
    await page.keyboard.press('Escape');
    await expect(page.getByRole('button', { name: 'Cancel' })).toBeFocused();
    await page.keyboard.press(key);
    await expect(dialog).toHaveCount(1);
    await expect(dialog.getByLabel('Name')).toBeFocused();
  }
  // The second one before the question has the focus.
  await dialog.getByLabel('Name').evaluate((field) => {
    for (const key of ['Escape', 'Escape'])
      field.dispatchEvent(new KeyboardEvent('keydown', { key, bubbles: true }));
  });
  await expect(dialog).toHaveCount(1);
  await expect(dialog.getByLabel('Name')).toBeFocused();
  await dialog.getByRole('button', { name: 'Discard' }).press('Enter');
  await page.keyboard.press('Escape');
  await expect(button('Add audience')).toBeFocused();

  await bench.open('Throttling');
  await button(/^Send \d+$/).focus();
  await ask(ready, 'POST', '/server/stop');
  await expect(button(/^Send \d+$/)).toHaveAttribute('title', /The server is stopped/);
  await expect(button(/^Send \d+$/)).toBeFocused();
});
