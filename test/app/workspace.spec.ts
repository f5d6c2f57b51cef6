// Workspace files in the window: open and save as; and a server that outlives the window.

import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import {
  chooseMenuItem,
  expect,
  issuerOf,
  openSection,
  rememberedSettings,
  test,
} from './launch.ts';
import { answerQuestion, chooseFile } from './native-dialogs.ts';

const CLIENT = {
  client_id: 'shop',
  client_secret: 'shop-secret',
  client_name: 'Shop',
  redirect_uris: ['http://localhost:1/cb'],
};

function workspaceFile(folder: string, name: string, members: object = {}): string {
  const file = join(folder, `${name}.json`);
  writeFileSync(file, JSON.stringify({ version: 1, name, clients: [CLIENT], ...members }));
  return file;
}

test('opening an invalid file lists every problem and keeps the current workspace; Save Workspace As writes the workspace to another file and makes it the current one; Open Workspace loads a file, shows its name in the title and under Open Recent, with the workspaces before it, and saves changes to it; with Keep Running, switched in Settings or the menu, the server outlives the window, and a second start reopens it; a page that crashed is reported, and reloads', async ({
  launch,
  userData,
}) => {
  const { app, page, bench } = await launch();
  await bench.ready();
  const status = page.getByRole('contentinfo');
  const reported = await answerQuestion(app, 'OK');
  await chooseFile(app, workspaceFile(userData, 'bad', { colour: 1, users: 7 }));
  await chooseMenuItem(app, 'open');
  await expect.poll(reported).toHaveLength(1);
  const [problems] = await reported();
  expect(problems).toContain('colour');
  expect(problems).toContain('users');
  expect(problems).toContain('The current workspace is unchanged');
  await expect(status).toContainText('workspace.json');

  const elsewhere = join(userData, 'elsewhere.json');
  await chooseFile(app, elsewhere);
  await chooseMenuItem(app, 'save-as');
  await expect(status).toContainText('elsewhere.json');
  expect(JSON.parse(readFileSync(elsewhere, 'utf8'))).toMatchObject({ version: 1, name: 'Demo' });

  const file = workspaceFile(userData, 'Shop tests');
  await chooseFile(app, file);
  await chooseMenuItem(app, 'open');
  await expect(status).toContainText('Shop tests.json');
  const title = () =>
    app.evaluate(({ BrowserWindow }) => BrowserWindow.getAllWindows()[0]?.getTitle());
  await expect.poll(title).toContain('Shop tests');
  await bench.open('Users');
  await page.keyboard.press('Alt+2');
  await expect(page.getByText('shop').first()).toBeVisible();
  const recent = () =>
    app.evaluate(({ Menu }) =>
      Menu.getApplicationMenu()
        ?.getMenuItemById('recent')
        ?.submenu?.items.map(({ label }) => label),
    );
  const opened = ['Shop tests.json', 'elsewhere.json', 'workspace.json'];
  await expect.poll(recent).toEqual([...opened, '', 'Clear Menu']);
  await page.getByRole('button', { name: /^Profile:/ }).click();
  await page.getByRole('menuitemradio', { name: /^strict/ }).click();
  await expect
    .poll(() => JSON.parse(readFileSync(file, 'utf8')) as unknown)
    .toMatchObject({ name: 'Shop tests', settings: { profile: 'strict' } });
  await app.close();

  const again = await launch();
  await again.bench.ready();
  await expect(again.page.getByRole('contentinfo')).toContainText('Shop tests.json');

  const issuer = await issuerOf(again.page);
  const section = await openSection(again.bench, 'Appearance');
  const settings = () => rememberedSettings(userData);
  await section.getByRole('switch', { name: 'Keep running when the window closes' }).click();
  const explained = again.page.getByText('the server keeps running; reopen the window').first();
  await expect(explained).toBeVisible();
  await expect.poll(settings).toMatchObject({ keep_running: true });
  await chooseMenuItem(again.app, 'keep-running');
  await expect.poll(settings).toMatchObject({ keep_running: false });
  await chooseMenuItem(again.app, 'keep-running');
  await expect.poll(settings).toMatchObject({ keep_running: true });

  await again.page.close();
  expect((await fetch(`${issuer}/livez`)).status).toBe(200);
  const reopened = again.app.waitForEvent('window');
  await again.app.evaluate(({ app: electron }) => electron.emit('second-instance', {}, [], ''));
  const window = await reopened;
  await expect(window.getByRole('banner').getByText('Running')).toBeVisible();

  const crash = await answerQuestion(again.app, 'Reload');
  await again.app.evaluate(({ BrowserWindow }) =>
    BrowserWindow.getAllWindows()[0]?.webContents.forcefullyCrashRenderer(),
  );
  await expect.poll(crash).toEqual([expect.stringMatching(/^The page ended unexpectedly/)]);
  await chooseMenuItem(again.app, 'go-flow');
});
