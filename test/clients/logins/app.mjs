// Signs in at a web app as a browser without scripts would. Exits with 0 when the app knows the user.

import { request } from 'node:http';
import { signIn } from '../../support/logins/sign-in.mjs';

/** As the browser knows the app, which listens on a free port. */
export const ORIGIN = 'http://localhost:3000';

/** @typedef {{ status: number, location: string | null, text: string }} Page */
/** @typedef {(target: string, form?: URLSearchParams) => Promise<Page>} Visit */

/** @param {number} port @returns {Visit} follows no redirects, and keeps cookies */
function browserAt(port) {
  const cookies = new Map();
  return (target, form) =>
    new Promise((resolve, reject) => {
      const { host, pathname, search } = new URL(target, ORIGIN);
      const cookie = [...cookies].map(([name, value]) => `${name}=${value}`).join('; ');
      const headers = {
        host,
        cookie,
        accept: 'text/html',
        ...(form === undefined ? {} : { 'content-type': 'application/x-www-form-urlencoded' }),
      };
      const method = form === undefined ? 'GET' : 'POST';
      const at = { host: '127.0.0.1', port, path: `${pathname}${search}`, method, headers };
      request(at, async (response) => {
        for (const one of response.headers['set-cookie'] ?? []) {
          const [, name, value] = /^([^=]+)=([^;]*)/.exec(one) ?? [];
          cookies.set(name, value);
        }
        let text = '';
        for await (const chunk of response.setEncoding('utf8')) text += chunk;
        resolve({
          status: response.statusCode ?? 0,
          location: response.headers.location ?? null,
          text,
        });
      })
        .once('error', reject)
        .end(form?.toString());
    });
}

/**
 * @param {number} port of the app
 * @param {(visit: Visit) => Promise<Page>} start begins a sign-in
 * @param {(visit: Visit) => Promise<boolean>} isSignedIn
 */
export async function signInAt(port, start, isSignedIn) {
  const visit = browserAt(port);
  let page = await start(visit);
  for (let steps = 0; page.location !== null && steps < 10; steps++) {
    const url = new URL(page.location, ORIGIN);
    page = await visit(url.origin === ORIGIN ? url.href : (await signIn(url)).href);
  }
  return isSignedIn(visit);
}

/**
 * @param {import('express').Express} app
 * @param {(visit: Visit) => Promise<Page>} start
 * @param {(visit: Visit) => Promise<boolean>} isSignedIn
 */
export function signInAtExpress(app, start, isSignedIn) {
  const server = app.listen(0, '127.0.0.1', async () => {
    const { port } = /** @type {import('node:net').AddressInfo} */ (server.address());
    process.exit((await signInAt(port, start, isSignedIn)) ? 0 : 1);
  });
}
