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
  reveals,
  writeRequest,
  type PlacedSecret,
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

async function newestNumber({ engine }: Harness): Promise<number> {
  const { exchanges } = await engine.getControl();
  const [newest] = (await exchanges.list({ limit: 1 })).items;
  return newest?.number ?? 0;
}

/** Every view of the newest exchanges, oldest first. */
async function shownNewest(harness: Harness, count: number): Promise<Map<string, string>[]> {
  const control = await harness.engine.getControl();
  const { items } = await control.exchanges.list({ limit: count });
  const summaries = items.toReversed();
  const numbers = `${summaries[0]?.number}-${summaries.at(-1)?.number}`;
  const har = await control.exchanges.export({ format: 'har', numbers });
  const json = await control.exchanges.export({ format: 'json', numbers });
  const entries = 'log' in har ? har.log.entries : [];
  const exchanges = 'exchanges' in json ? json.exchanges : [];
  expect([entries.length, exchanges.length]).toEqual([count, count]);
  const advisories = JSON.stringify(await control.advisories.list({}));
  return Promise.all(
    summaries.map(async (summary, index) => {
      const exchange = await control.exchanges.get({ number: summary.number });
      return new Map([
        ['list', JSON.stringify(summary)],
        ['view', JSON.stringify(exchange)],
        ['har', JSON.stringify(entries[index])],
        ['json', JSON.stringify(exchanges[index])],
        ['advisories', advisories],
        ['line', exchangeLine(summary, false)],
        ['library', explainExchange(exchange)],
      ]);
    }),
  );
}

/** The cases whose requests differ: without characters to escape, several forms write a secret alike. */
function distinctCases(secret: string): readonly PlacedSecret[] {
  const written = (one: PlacedSecret) => JSON.stringify(writeRequest(one.place, one.form, secret));
  return [...new Map(PLACED.map((one) => [written(one), one])).values()];
}

/** Sends the secret at each of these places. Returns the cases that show it, with the views. */
async function leaks(
  harness: Harness,
  secret: string,
  placed = distinctCases(secret),
): Promise<string[]> {
  const { port } = harness.engine.server();
  const before = await newestNumber(harness);
  for (const { place, form } of placed) await sendWritten(port, writeRequest(place, form, secret));
  expect(await newestNumber(harness)).toBe(before + placed.length);
  const shown = await shownNewest(harness, placed.length);
  return placed.flatMap(({ title, form }, index) => {
    const written = FORMS[form](secret);
    const leaking = [...(shown[index] ?? [])].filter(([, text]) => reveals(text, secret, written));
    return leaking.length === 0 ? [] : [`${title}: ${leaking.map(([view]) => view).join(', ')}`];
  });
}

/** A header of this name with the bare secret. */
const inHeader = (name: string): readonly PlacedSecret[] => [
  {
    title: name,
    form: 'raw',
    place: { name, forms: [], write: (text) => ({ headers: [[name, text]] }) },
  },
];

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

  const accessToken = async (harness: Harness) => (await harness.signIn()).access_token;

  it.each<[string, (harness: Harness) => Promise<string>, object?]>([
    ['an issued code', (harness) => harness.code()],
    ['an issued refresh token', async (harness) => (await harness.signIn()).refresh_token],
    ['an access token', accessToken, { access_token_format: 'rfc9068' }],
    ['an opaque access token', accessToken, { access_token_format: 'opaque' }],
    ['the control token', () => Promise.resolve(TOKEN)],
  ])('%s is not shown', async (_, secretOf, settings) => {
    const harness = await start('demo-secret', settings);
    expect(await leaks(harness, await secretOf(harness))).toEqual([]);
  });
});

describe('after known secrets change', () => {
  it('a former secret is not shown either, because stored exchanges may contain it', async () => {
    const harness = await start('former-secret');
    await harness.patch('/clients/demo-app', { client_secret: 'other-secret' });
    expect(await leaks(harness, 'former-secret', inHeader('X-Note'))).toEqual([]);
    expect(await leaks(harness, 'other-secret', inHeader('X-Note'))).toEqual([]);
  });

  it('private key parameters and the initial access token are known', async () => {
    const registration = { mode: 'token', token: 'let-me-in, please' };
    const harness = await start('demo-secret', { registration });
    const [key] = harness.engine.service.keyring.list();
    const d = key?.private_jwk['d'] as string;
    for (const secret of [d, registration.token]) {
      expect(await leaks(harness, secret, inHeader('etag'))).toEqual([]);
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
  expect(reveals(batch, AWKWARD, FORMS[place.form](AWKWARD))).toBe(false);
  await feed.return(undefined);
});

test('no view shows any secret, whatever its place and form', async () => {
  const harness = await start('demo-secret');
  // The prefix distinguishes the secret from the surrounding text.
  const secrets = fc.stringMatching(/^S3~[ -~]{5,40}$/);
  await fc.assert(
    fc.asyncProperty(secrets, fc.constantFrom(...PLACED), async (secret, placed) => {
      await harness.patch(`/clients/${CREDENTIALS.client_id}`, { client_secret: secret });
      expect(await leaks(harness, secret, [placed])).toEqual([]);
    }),
    fuzzing(60),
  );
  expect(harness.faults).toEqual([]);
});
