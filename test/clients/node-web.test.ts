// Express middleware, configured as the page shows: a user signs in to the app and out again.

import { afterAll, beforeAll, expect, it } from 'vitest';
import { freePort } from '../support/free-port.ts';
import { createPerson, type PageSeen, type Person } from '../support/person.ts';
import { folderOf, serve } from './support/program.ts';
import { startSandbox, USER, type Sandbox } from './support/sandbox.ts';

let sandbox: Sandbox;
beforeAll(async () => {
  sandbox = await startSandbox();
});
afterAll(() => sandbox.stop());

interface Order {
  readonly library: string;
  readonly callback: string;
  /** Code before the settings; `app` is in scope. */
  readonly before?: string;
  /** Code after the settings; `/me` returns the signed-in user. */
  readonly after: string;
}

/** Starts an Express app with the settings. */
async function startApp({ library, callback, before = '', after }: Order): Promise<Person> {
  const port = await freePort();
  const origin = `http://localhost:${port}`;
  const settings = await sandbox.settingsOf(library, {
    client_secret: 'a secret of 32 characters, or more',
    redirect_uris: [`${origin}${callback}`],
    post_logout_redirect_uris: [origin],
  });
  const program = `import express from 'express';
const app = express();
${before}
${settings}
${after}
app.listen(${port});`;
  const env = { SESSION_SECRET: 's'.repeat(32), AUTH_SECRET: 's'.repeat(32) };
  const cwd = folderOf({ 'app.mjs': program });
  await serve(process.execPath, ['app.mjs'], { cwd, env, listens: () => fetch(origin) });
  return createPerson(origin);
}

/** Follows redirects, with cookies. @returns the final page */
async function follow(person: Person, page: PageSeen): Promise<PageSeen> {
  let seen = page;
  for (let steps = 0; seen.location !== null && steps < 10; steps++) {
    seen = await person.visit(seen.location.href);
  }
  expect(seen.status, seen.text).toBeLessThan(400);
  return seen;
}

const me = async (person: Person): Promise<unknown> => JSON.parse((await person.visit('/me')).text);

it('express-openid-connect: a user signs in and out', async () => {
  const person = await startApp({
    library: 'express-openid-connect',
    callback: '/callback',
    after: `app.get('/me', (request, response) => response.json(request.oidc.user ?? null));
app.get('/', (request, response) => response.send('home'));`,
  });
  // The middleware protects every route.
  await follow(person, await person.visit('/login'));
  expect(await me(person)).toMatchObject(USER);
  const out = await person.visit('/logout');
  expect(out.location?.href).toMatch(new RegExp(`^${sandbox.ready.issuer}/logout\\?`));
  const back = await person.visit(out.location?.href ?? '');
  expect([back.status, back.location?.pathname]).toEqual([302, '/']);
  expect(await sandbox.newestAt('/logout')).toBe(302);
});

it('passport-openidconnect: a user signs in, and userinfo completes the profile', async () => {
  const person = await startApp({
    library: 'passport-openidconnect',
    callback: '/callback',
    before: `import session from 'express-session';
app.use(session({ secret: 'test', resave: false, saveUninitialized: false }));`,
    after: `passport.serializeUser((user, done) => done(null, user));
passport.deserializeUser((user, done) => done(null, user));
app.use(passport.session());
app.get('/login', passport.authenticate('openidconnect'));
app.get('/callback', passport.authenticate('openidconnect', { successRedirect: '/me' }));
app.get('/me', (request, response) => response.json(request.user ?? null));`,
  });
  await follow(person, await person.visit('/login'));
  expect(await me(person)).toMatchObject({
    id: USER.sub,
    displayName: USER.name,
    emails: [{ value: USER.email }],
  });
});

it('Auth.js: a user signs in and out', async () => {
  const person = await startApp({
    library: 'auth-js',
    callback: '/auth/callback/grantbench',
    after: `import { getSession } from '@auth/express';
app.get('/', (request, response) => response.send('home'));`,
  });
  const csrf = async () => {
    const { csrfToken } = JSON.parse((await person.visit('/auth/csrf')).text) as {
      csrfToken: string;
    };
    return ['csrfToken', csrfToken] as const;
  };
  const session = async (): Promise<unknown> =>
    JSON.parse((await person.visit('/auth/session')).text);
  await follow(person, await person.post('/auth/signin/grantbench', [await csrf()]));
  const { name, email } = USER;
  expect(await session()).toMatchObject({ user: { name, email } });
  await follow(person, await person.post('/auth/signout', [await csrf()]));
  expect(await session()).toBeNull();
});
