// Columns fit into the list, and the user can resize them by mouse or keyboard; their widths are kept.

import type { Page } from '@playwright/test';
import { severeFindings } from '../support/findings.ts';
import { exchange, issueCode } from '../support/token-calls.ts';
import { runCommand } from '../support/workbench.ts';
import { expect, test } from './serve.ts';

const handle = (page: Page, column: string) =>
  page.getByRole('separator', { name: `Width of ${column}` });

const widthOf = async (page: Page, column: string) => {
  const box = await page.getByRole('columnheader', { name: column, exact: true }).boundingBox();
  return Math.round(box?.width ?? 0);
};

const expectWidth = (page: Page, column: string, pixels: number) =>
  expect.poll(() => widthOf(page, column)).toBe(pixels);

test('dragging widens a column and its cells, and a reload keeps the width; the keyboard alone moves between the handles, widens a column and resets it', async ({
  page,
  bench,
  ready,
}) => {
  await page.setViewportSize({ width: 1280, height: 800 });
  await exchange(ready, await issueCode(ready));
  await bench.listExchanges();
  await expect(page.getByRole('region', { name: 'Traffic' }).getByText('1 exchange')).toBeVisible();
  const before = await widthOf(page, 'Path');
  const box = await handle(page, 'Path').boundingBox();
  if (box === null) throw new Error('no handle');
  const [x, y] = [box.x + box.width / 2, box.y + box.height / 2];
  await page.mouse.move(x, y);
  await page.mouse.down();
  await page.mouse.move(x + 60, y, { steps: 5 });
  await page.mouse.up();
  await expectWidth(page, 'Path', before + 60);
  const row = page.getByRole('grid', { name: 'Exchanges' }).getByRole('row').nth(1);
  const cell = await row.getByRole('gridcell').nth(3).boundingBox();
  expect(Math.round(cell?.width ?? 0)).toBe(before + 60);
  await page.reload();
  await bench.ready();
  await expectWidth(page, 'Path', before + 60);
  await handle(page, 'Path').dblclick();
  await expectWidth(page, 'Path', before);

  await bench.open('Tokens');
  await expect(page.getByRole('grid', { name: 'Tokens' }).getByRole('row').nth(1)).toBeVisible();
  const state = await widthOf(page, 'State');
  await handle(page, 'Kind').focus();
  await page.keyboard.press('ArrowDown');
  await expect(handle(page, 'State')).toBeFocused();
  await page.keyboard.press('ArrowRight');
  await page.keyboard.press('ArrowRight');
  await expectWidth(page, 'State', state + 32);
  await expect(handle(page, 'State')).toHaveAttribute('aria-valuetext', `${state + 32} pixels`);
  expect(await severeFindings(page, page.getByRole('grid', { name: 'Tokens' }))).toEqual([]);
  await page.keyboard.press('Delete');
  await expectWidth(page, 'State', state);
});

test('no column of the Traffic list is cut off, whatever its width, and a path is cut only where it must be, keeps its last segment and is read out whole; wider columns scroll sideways until one command resets all widths', async ({
  page,
  ready,
  bench,
}) => {
  const path = '/realms/sandbox/protocol/openid-connect/certs';
  for (const one of [path, '/nope']) await fetch(new URL(one, ready.issuer));
  await exchange(ready, await issueCode(ready));
  await bench.open('Traffic');
  await page.setViewportSize({ width: 1280, height: 600 });
  await expect(page.getByRole('gridcell', { name: path, exact: true })).toBeVisible();
  const cell = page.getByRole('gridcell').filter({ hasText: path });
  for (const width of [1440, 1280, 900, 760]) {
    await page.setViewportSize({ width, height: 600 });
    const [whole, end] = await Promise.all(
      [cell, cell.getByText('/certs', { exact: true })].map((part) => part.boundingBox()),
    );
    if (!whole || !end) throw new Error('There is no row.');
    const short = page.getByText('/nope', { exact: true }).and(page.locator('[aria-hidden] *'));
    const cut = await short.evaluate(({ scrollWidth, clientWidth }) => scrollWidth - clientWidth);
    expect.soft(cut, `${width} pixels`).toBe(0);
    expect.soft(end.x + end.width, `${width} pixels`).toBeLessThanOrEqual(whole.x + whole.width);
    expect.soft(end.width, `${width} pixels`).toBeGreaterThan(30);
  }

  await bench.listExchanges();
  const grid = page.getByRole('grid', { name: 'Exchanges' });
  const beyond = () =>
    grid.evaluate((element) => {
      const edge = element.getBoundingClientRect().right;
      return [...element.querySelectorAll('[role="columnheader"]')]
        .filter((head) => head.getBoundingClientRect().right > edge + 1)
        .map((head) => head.textContent);
    });
  for (let width = 700; width <= 1500; width += 20) {
    await page.setViewportSize({ width, height: 600 });
    await expect.soft.poll(beyond, `${width} pixels`).toEqual([]);
  }

  await page.setViewportSize({ width: 900, height: 600 });
  await page.evaluate(() => {
    const tables = { traffic: { cause: 900, status: 'wide', time: -3 }, tokens: 7 };
    localStorage.setItem('grantbench.columns', JSON.stringify(tables));
  });
  await page.reload();
  await bench.ready();
  await expectWidth(page, 'Cause', 900);
  await expect.poll(() => grid.evaluate((one) => one.scrollWidth > one.clientWidth)).toBe(true);
  await runCommand(page, 'widths of all columns');
  await expect.poll(() => grid.evaluate((one) => one.scrollWidth > one.clientWidth)).toBe(false);
});
