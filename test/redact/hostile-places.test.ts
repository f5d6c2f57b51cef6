// Secrets at every place of a request and in every form, sent over real HTTP: no view of the exchange shows them.

import fc from 'fast-check';
import { describe, expect, it, test } from 'vitest';
import { exchangeLine } from '../../src/cli/terminal/exchange-line.ts';
import type { Exchange } from '../../src/control/schemas.ts';
import { explainExchange } from '../../src/library/explain.ts';
import { fuzzing } from '../support/fuzz.ts';
import { CREDENTIALS, startHarness, TOKEN, type Harness } from '../support/harness.ts';
import {
  FORMS,
  PLACED,
  sendWritten,
  tells,
  writeRequest,
  type FormName,
  type Place,
} from '../support/secret-places.ts';

const AWKWARD = 's3 "a\\b"+%41/&=c;d?e#f~<g>';

const start = (client_secret: string, settings = {}): Promise<Harness> =>
  startHarness({
    workspace: {
      clients: [
        { client_id: 'demo-app', client_secret, redirect_uris: ['http://localhost:3000/callback'] },
      ],
      settings: { throttle: { mode: 'off' }, profile: 'interop', ...settings },
    },
  });

/** Every view of the newest exchange. */
async function shownNewest(harness: Harness): Promise<Map<string, string>> {
  const control = await harness.engine.getControl();
  const [summary] = (await control.exchanges.list({ limit: 1 })).items;
  if (summary === undefined) throw new Error('no exchange');
  const { number } = summary;
  const exchange = await control.exchanges.get({ number });
  const exported = (format: 'har' | 'json') =>
    control.exchanges.export({ format, numbers: String(number) });
  return new Map([
    ['list', JSON.stringify(summary)],
    ['view', JSON.stringify(exchange)],
    ['har', JSON.stringify(await exported('har'))],
    ['json', JSON.stringify(await exported('json'))],
    ['advisories', JSON.stringify(await control.advisories.list({}))],
    ['line', exchangeLine(summary, false)],
    ['library', explainExchange(exchange)],
  ]);
}

async function tellers(harness: Harness, place: Place, form: FormName, secret: string) {
  const { port } = harness.engine.server();
  await sendWritten(port, writeRequest(place, form, secret));
  const shown = await shownNewest(harness);
  const written = FORMS[form](secret);
  return [...shown].filter(([, text]) => tells(text, secret, written)).map(([view]) => view);
}

/** The cases whose secret is shown, with the view that shows it. */
async function leaks(harness: Harness, secret: string): Promise<string[]> {
  const found: string[] = [];
  for (const { title, place, form } of PLACED) {
    const views = await tellers(harness, place, form, secret);
    if (views.length > 0) found.push(`${title}: ${views.join(', ')}`);
  }
  return found;
}

describe('at more than 200 places and forms', () => {
  it('a client secret of characters that need escapes is not shown', async () => {
    expect(PLACED.length).toBeGreaterThan(200);
    const harness = await start(AWKWARD);
    expect(await leaks(harness, AWKWARD)).toEqual([]);
    expect(harness.faults).toEqual([]);
  });

  it('a client secret of plain letters is not shown', async () => {
    expect(await leaks(await start('correct-horse'), 'correct-horse')).toEqual([]);
  });

  it('an issued code is not shown', async () => {
    const harness = await start('demo-secret');
    expect(await leaks(harness, await harness.code())).toEqual([]);
  });

  it('an issued refresh token is not shown', async () => {
    const harness = await start('demo-secret');
    const { refresh_token } = await harness.signIn();
    expect(await leaks(harness, refresh_token)).toEqual([]);
  });

  it.each(['rfc9068', 'opaque'])('an access token (%s) is not shown', async (format) => {
    const harness = await start('demo-secret', { access_token_format: format });
    const { access_token } = await harness.signIn();
    expect(await leaks(harness, access_token)).toEqual([]);
  });

  it('the control token is not shown', async () => {
    expect(await leaks(await start('demo-secret'), TOKEN)).toEqual([]);
  });
});

describe('after known secrets change', () => {
  it('a former secret is not shown either, because stored exchanges may contain it', async () => {
    const harness = await start('former-secret');
    const place: Place = {
      name: '',
      forms: [],
      write: (text) => ({ headers: [['X-Note', text]] }),
    };
    await harness.patch('/clients/demo-app', { client_secret: 'other-secret' });
    expect(await tellers(harness, place, 'raw', 'former-secret')).toEqual([]);
    expect(await tellers(harness, place, 'raw', 'other-secret')).toEqual([]);
  });

  it('private key parameters and the initial access token are known', async () => {
    const registration = { mode: 'token', token: 'let-me-in, please' };
    const harness = await start('demo-secret', { registration });
    const [key] = harness.engine.service.keyring.list();
    const d = key?.private_jwk['d'] as string;
    const place: Place = { name: '', forms: [], write: (text) => ({ headers: [['etag', text]] }) };
    for (const secret of [d, registration.token]) {
      expect(await tellers(harness, place, 'raw', secret)).toEqual([]);
    }
  });

  it('everything is shown unchanged when secrets are requested', async () => {
    const harness = await start('demo-secret');
    const body = 'grant_type=refresh_token&client_id=demo-secret&client_secret=demo-app';
    await sendWritten(harness.engine.server().port, {
      method: 'POST',
      target: '/oauth/token?x=demo-secret',
      headers: [
        ['X-Note', 'demo-secret'],
        ['Content-Type', 'application/x-www-form-urlencoded'],
      ],
      body,
    });
    const open = await harness.get<Exchange>('/exchanges/1?secrets=1');
    expect(open.path).toBe('/oauth/token?x=demo-secret');
    expect(open.request.body).toBe(body);
    expect(open.request.headers).toContainEqual(['X-Note', 'demo-secret']);
    expect(open.trace.find(({ id }) => id === 'client_id')?.got).toBe('demo-secret');
    const hidden = await harness.get<Exchange>('/exchanges/1');
    expect(hidden.trace.find(({ id }) => id === 'client_id')?.got).toBe('[redacted]');
  });
});

test('a form with an unencoded space is redacted', async () => {
  const harness = await start('demo-secret');
  const fields = Array.from({ length: 40 }, (_, index) => `field_${index}=value`).join('&');
  await sendWritten(harness.engine.server().port, {
    method: 'POST',
    target: '/oauth/token',
    headers: [['Content-Type', 'application/x-www-form-urlencoded']],
    body: `${fields}&code=abc&scope=openid profile`,
  });
  const { request } = await harness.get<Exchange>('/exchanges/1');
  expect(request.body).toBe(`${fields}&code=[redacted]&scope=openid profile`);
});

test('the feed shows no secret', async () => {
  const harness = await start(AWKWARD);
  const client = await harness.connect();
  const feed = await client.events({});
  await feed.next();
  const [place] = PLACED;
  if (place === undefined) throw new Error('no place');
  await sendWritten(harness.engine.server().port, writeRequest(place.place, place.form, AWKWARD));
  const batch = JSON.stringify((await feed.next()).value);
  expect(batch).toContain('[redacted]');
  expect(tells(batch, AWKWARD, FORMS[place.form](AWKWARD))).toBe(false);
  await feed.return(undefined);
});

test('no view shows any secret, whatever its place and form', async () => {
  const harness = await start('demo-secret');
  // The prefix distinguishes the secret from the surrounding text.
  const secrets = fc.stringMatching(/^S3~[ -~]{5,40}$/);
  await fc.assert(
    fc.asyncProperty(secrets, fc.constantFrom(...PLACED), async (secret, { place, form }) => {
      await harness.patch(`/clients/${CREDENTIALS.client_id}`, { client_secret: secret });
      expect(await tellers(harness, place, form, secret)).toEqual([]);
    }),
    fuzzing(60),
  );
  expect(harness.faults).toEqual([]);
});
