// Browser SDKs in Chromium, configured as the page shows: sign-in by redirect, silent renewal in a frame, logout. The
// app uses http and the sandbox https, which makes them different sites: only the cookie of an https issuer is sent in
// a frame.

import { once } from 'node:events';
import { createServer, type Server } from 'node:http';
import { join } from 'node:path';
import { chromium, type Browser, type Page } from '@playwright/test';
import { decodeJwt } from 'jose';
import { build, type Rollup } from 'vite';
import { afterAll, beforeAll, expect, it, onTestFinished } from 'vitest';
import { browserLaunch } from '../../scripts/test-runtimes.mjs';
import { freePort } from '../support/free-port.ts';
import { ask } from '../support/token-calls.ts';
import { folderOf } from './support/program.ts';
import { need } from './support/runtimes.ts';
import { startSandbox, USER, type Sandbox } from './support/sandbox.ts';

let sandbox: Sandbox;
let browser: Browser | undefined;
beforeAll(async () => {
  sandbox = await startSandbox({ https: true, consent: true });
});
afterAll(async () => {
  await browser?.close();
  await sandbox.stop();
});

/** Bundles the source into one module without imports. */
async function bundle(source: string): Promise<string> {
  const entry = join(folderOf({ 'page.mjs': source }), 'page.mjs');
  const [made] = (await build({
    configFile: false,
    logLevel: 'error',
    build: {
      write: false,
      minify: false,
      target: 'esnext',
      lib: { entry, formats: ['es'], fileName: 'page' },
    },
  })) as Rollup.RollupOutput[];
  const chunk = made?.output.find((one) => one.type === 'chunk');
  return chunk?.code ?? '';
}

/** Scripts by path; other paths serve the page of `/`. */
type Scripts = Readonly<Record<string, string>>;

async function servePages(port: number, scripts: Scripts): Promise<Server> {
  const server = createServer((incoming, response) => {
    const { pathname } = new URL(incoming.url ?? '/', 'http://localhost');
    const script = /^(.*)\.mjs$/.exec(pathname)?.[1];
    response.setHeader(
      'Content-Type',
      script === undefined ? 'text/html; charset=utf-8' : 'text/javascript; charset=utf-8',
    );
    const name = pathname in scripts ? pathname : '/';
    const html = `<!doctype html><link rel="icon" href="data:,"><title>app</title><script type="module" src="${name}.mjs"></script>`;
    response.end(script === undefined ? html : (scripts[script] ?? ''));
  });
  server.listen(port, 'localhost');
  await once(server, 'listening');
  return server;
}

interface App {
  readonly page: Page;
  readonly origin: string;
}

/** @param withSettings returns the scripts of the app for these settings */
async function openApp(library: string, withSettings: (settings: string) => Scripts): Promise<App> {
  return openPages(async (origin) =>
    withSettings(
      await sandbox.settingsOf(library, {
        token_endpoint_auth_method: 'none',
        redirect_uris: [`${origin}/callback`],
        post_logout_redirect_uris: [`${origin}/`],
      }),
    ),
  );
}

/** @param scriptsOf returns the scripts of the app for its origin */
async function openPages(scriptsOf: (origin: string) => Promise<Scripts>): Promise<App> {
  const port = await freePort();
  const origin = `http://localhost:${port}`;
  const sources = Object.entries(await scriptsOf(origin));
  const scripts = await Promise.all(
    sources.map(async ([path, source]) => [path, await bundle(source)] as const),
  );
  const server = await servePages(port, Object.fromEntries(scripts));
  browser ??= await chromium.launch(browserLaunch());
  const context = await browser.newContext({ ignoreHTTPSErrors: true });
  onTestFinished(async () => {
    await context.close();
    server.closeAllConnections();
    server.close();
  });
  const page = await context.newPage();
  await page.goto(`${origin}/`);
  return { page, origin };
}

/** Runs code in the page, where `app` is what its script exposes. */
async function inApp<T>(page: Page, code: string): Promise<T> {
  await page.waitForFunction(() => 'app' in window);
  return page.evaluate<T>(`(async () => { ${code} })()`);
}

/** Runs code that navigates away from the page, and so returns nothing. */
const leave = (page: Page, code: string) =>
  inApp(page, `setTimeout(() => { ${code} }); return null;`);

async function approve({ page, origin }: App): Promise<void> {
  await page.getByRole('button', { name: 'Approve' }).click();
  await page.waitForURL((url) => url.origin === origin);
}

const expectToken = (token: string, client_id: string) => {
  expect(decodeJwt(token)).toMatchObject({ iss: sandbox.ready.issuer, client_id, sub: USER.sub });
};

it('auth0-spa-js signs in by redirect, renews the token in a frame by web_message, and signs out', async (context) => {
  need('a Chromium', context);
  const app = await openApp('auth0-spa-js', (settings) => ({
    '/': `${settings}\nwindow.app = { auth0, logOut };`,
  }));
  const { page, origin } = app;
  await leave(page, 'app.auth0.loginWithRedirect()');
  await approve(app);
  const first = await inApp<string>(
    page,
    'await app.auth0.handleRedirectCallback(); return app.auth0.getTokenSilently();',
  );
  expectToken(first, 'auth0-spa-js');
  expect(await inApp(page, 'return app.auth0.getUser();')).toMatchObject(USER);

  const renew = `return app.auth0.getTokenSilently({ cacheMode: 'off' }).catch(({ error }) => error);`;
  const renewed = await inApp<string>(page, renew);
  expectToken(renewed, 'auth0-spa-js');
  expect(renewed).not.toBe(first);
  // web_message responds with a page instead of a redirect.
  expect(await sandbox.newestAt('/authorize')).toBe(200);

  await leave(page, 'app.logOut()');
  await page.waitForURL(`${origin}/`);
  expect(await sandbox.newestAt('/logout')).toBe(302);
  expect(await inApp(page, renew)).toBe('login_required');
});

it('msal-browser signs in by redirect, renews the token in a frame, and signs out', async (context) => {
  need('a Chromium', context);
  const app = await openApp('msal-browser', (settings) => ({
    '/': `${settings}\nconst signedIn = await msal.handleRedirectPromise();\nwindow.app = { msal, signedIn };`,
    '/callback': `import { broadcastResponseToMainFrame } from '@azure/msal-browser/redirect-bridge';
await broadcastResponseToMainFrame();`,
  }));
  const { page, origin } = app;
  const scopes = `scopes: ['openid', 'profile', 'email']`;
  await leave(page, `app.msal.loginRedirect({ ${scopes} })`);
  await approve(app);
  await page.waitForURL(`${origin}/`);
  const signedIn = await inApp<{ accessToken: string; account: { idTokenClaims: unknown } }>(
    page,
    'return app.signedIn;',
  );
  expectToken(signedIn.accessToken, 'msal-browser');
  expect(signedIn.account.idTokenClaims).toMatchObject({ sub: USER.sub, name: USER.name });

  const silent = `return app.msal.ssoSilent({ ${scopes} }).then(({ accessToken }) => accessToken, ({ errorCode }) => errorCode);`;
  const renewed = await inApp<string>(page, silent);
  expectToken(renewed, 'msal-browser');
  expect(renewed).not.toBe(signedIn.accessToken);

  await leave(page, 'app.msal.logoutRedirect({ account: app.signedIn.account })');
  // The library adds `state` to its logout request, so the URL has it only after the redirect.
  await page.waitForURL((url) => url.origin === origin && url.searchParams.has('state'));
  expect(await sandbox.newestAt('/logout')).toBe(302);
  expect(await inApp(page, silent)).toBe('login_required');
});

it.each([
  ['on another site (https)', true],
  ['on the same site (http)', false],
])(
  'keycloak-js with its defaults, %s: signs in, sees a sign-out in another tab',
  async (_, https) => {
    const keycloak = await startSandbox({ https, consent: true }, '--shape', 'keycloak');
    onTestFinished(() => keycloak.stop());
    const url = new URL(keycloak.ready.issuer).origin;
    const app = await openPages(async (origin) => {
      await ask(keycloak.ready, 'POST', '/clients', {
        client_id: 'spa',
        token_endpoint_auth_method: 'none',
        redirect_uris: [`${origin}/`],
        post_logout_redirect_uris: [`${origin}/`],
      });
      const config = { url, realm: 'sandbox', clientId: 'spa' };
      return {
        '/': `import Keycloak from 'keycloak-js';
const keycloak = new Keycloak(${JSON.stringify(config)});
const ready = keycloak.init({ checkLoginIframeInterval: 1 });
window.app = { keycloak, ready };`,
      };
    });
    const { page, origin } = app;
    expect(await inApp(page, 'return app.ready;')).toBe(false);
    await leave(page, `app.keycloak.login({ redirectUri: '${origin}/' })`);
    await approve(app);
    await page.waitForFunction(() => 'app' in window);
    expect(await inApp(page, 'return app.ready;')).toBe(true);
    const token = await inApp<string>(page, 'return app.keycloak.token;');
    expect(decodeJwt(token)).toMatchObject({ azp: 'spa', sub: USER.sub });

    // The frame reports that nothing has changed, until the session ends.
    const signedOut = inApp(
      page,
      'return new Promise((done) => { app.keycloak.onAuthLogout = () => done(true); });',
    );
    expect(await inApp(page, 'return app.keycloak.updateToken(-1);')).toBe(true);
    const tab = await page.context().newPage();
    await tab.goto(`${url}/realms/sandbox/protocol/openid-connect/logout`);
    expect(await signedOut).toBe(true);
    expect(await inApp(page, 'return app.keycloak.authenticated;')).toBe(false);
  },
);
