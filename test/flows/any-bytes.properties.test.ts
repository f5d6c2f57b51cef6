// Any bytes as path, headers or body: never a 5xx, no secret in a response, an exchange record or a log line, and
// always a well-formed record (behaviour 3; the harness checks each response of the control API against the contract).

import { connect } from 'node:net';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { exchangeLine } from '../../src/cli/terminal/exchange-line.ts';
import type { Exchange } from '../../src/control/schemas.ts';
import { fuzzing } from '../support/fuzz.ts';
import { startHarness } from '../support/harness.ts';
import { words } from '../support/words.ts';

const PATHS = words(
  '/oauth/token /oauth/revoke /oauth/introspect /userinfo /authorize /logout /register',
  '/.well-known/jwks.json /',
);

const PARAMETERS = [
  ...words(
    'grant_type client_id client_secret code refresh_token redirect_uri audience scope',
    'token code_verifier client_assertion access_token response_type state __proto__',
  ),
  '',
  'x',
];

/** A placeholder for a secret, filled in when the request is written. */
const SECRET = '\u0001secret\u0001';
const secret = fc.constant(SECRET);

const word = fc.oneof(
  fc.constantFrom('authorization_code', 'refresh_token', 'demo-app', 'code', 'openid', 'S256', ''),
  fc.string({ maxLength: 20 }),
  fc.string({ unit: 'binary', maxLength: 8 }),
);

/** Secrets at places where a client would put them, correctly or by mistake. */
const SECRET_NAMES = ['client_secret', 'code', 'refresh_token', 'token', 'access_token', 'x'];
const parameter = fc.oneof(
  { weight: 4, arbitrary: fc.tuple(fc.constantFrom(...PARAMETERS), word) },
  { weight: 2, arbitrary: fc.tuple(fc.constantFrom(...SECRET_NAMES), secret) },
);
const parameters = fc.array(parameter, { maxLength: 8 });

const body = fc.oneof(
  parameters.map((all) => Buffer.from(new URLSearchParams(all).toString())),
  parameters.map((all) => Buffer.from(JSON.stringify(Object.fromEntries(all)))),
  fc.json({ maxDepth: 3 }).map((text) => Buffer.from(text)),
  fc.uint8Array({ maxLength: 200 }).map((bytes) => Buffer.from(bytes)),
);

const headerValue = fc.oneof(
  fc.constantFrom(
    'application/json',
    'application/x-www-form-urlencoded',
    'text/plain',
    `Bearer ${SECRET}`,
    `Basic ${SECRET}`,
    SECRET,
  ),
  fc.string({ maxLength: 30 }),
);
const header = fc.tuple(
  fc.constantFrom('Content-Type', 'Authorization', 'Cookie', 'X-Forwarded-For', 'Accept', 'X-Y'),
  headerValue,
);

const request = fc.record({
  method: fc.constantFrom('POST', 'POST', 'POST', 'GET', 'PUT', 'OPTIONS', 'HEAD', 'BREW'),
  path: fc.oneof(
    { weight: 6, arbitrary: fc.constantFrom(...PATHS) },
    { weight: 1, arbitrary: fc.webPath() },
    { weight: 1, arbitrary: fc.constant(`/${SECRET}`) },
    { weight: 1, arbitrary: fc.string({ maxLength: 20 }) },
  ),
  query: fc.option(parameters, { nil: null }),
  headers: fc.array(header, { maxLength: 4 }),
  body,
  length: fc.constantFrom('right', 'right', 'right', 'chunked', 'none'),
});

type Sample = typeof request extends fc.Arbitrary<infer T> ? T : never;

function framed({ length, body: bytes }: Sample): readonly [lines: string[], rest: Buffer] {
  if (length === 'right') return [[`Content-Length: ${bytes.length}`], bytes];
  if (length === 'none' || bytes.length === 0) return [[], Buffer.alloc(0)];
  const chunk = [
    Buffer.from(`${bytes.length.toString(16)}\r\n`),
    bytes,
    Buffer.from('\r\n0\r\n\r\n'),
  ];
  return [['Transfer-Encoding: chunked'], Buffer.concat(chunk)];
}

/** Inserts secrets as text; lengths are counted afterwards. */
function fillIn(sample: Sample, value: string): Sample {
  const put = (text: string) => text.replaceAll(SECRET, value);
  const raw = sample.body.toString('latin1');
  const escaped = [encodeURIComponent(SECRET), JSON.stringify(SECRET).slice(1, -1), SECRET];
  return {
    ...sample,
    path: put(sample.path),
    query: sample.query?.map(([name, text]) => [name, put(text)] as [string, string]) ?? null,
    headers: sample.headers.map(([name, text]): (typeof sample.headers)[0] => [name, put(text)]),
    body: Buffer.from(
      escaped.reduce((text, place) => text.replaceAll(place, value), raw),
      'latin1',
    ),
  };
}

function bytesOf(sample: Sample): Buffer {
  const query = sample.query === null ? '' : `?${new URLSearchParams(sample.query).toString()}`;
  const [lines, rest] = framed(sample);
  const head = [
    `${sample.method} ${sample.path}${query} HTTP/1.1`,
    'Host: localhost',
    'Connection: close',
    ...sample.headers.map(([name, value]) => `${name}: ${value}`),
    ...lines,
  ];
  return Buffer.concat([Buffer.from(`${head.join('\r\n')}\r\n\r\n`), rest]);
}

/** Everything received until the connection was closed. */
function send(port: number, bytes: Buffer): Promise<string> {
  return new Promise((resolve) => {
    let answer = '';
    const socket = connect(port, '127.0.0.1', () => socket.write(bytes));
    socket
      .on('data', (chunk: Buffer) => (answer += chunk.toString('latin1')))
      .on('error', () => undefined)
      .on('close', () => {
        resolve(answer);
      });
  });
}

test('behaviour 3: any bytes get a status below 500, leak no secret and leave a complete record', async () => {
  const harness = await startHarness({
    workspace: { settings: { throttle: { mode: 'off' }, registration: { mode: 'open' } } },
  });
  const { port } = harness.engine.server();
  let last = 0;
  await fc.assert(
    fc.asyncProperty(request, fc.nat(2), async (blank, kind) => {
      const { refresh_token } = await harness.signIn();
      const values = [refresh_token, await harness.code(), 'demo-secret'];
      const value = values[kind] ?? refresh_token;
      const sample = fillIn(blank, value);
      const answer = await send(port, bytesOf(sample));

      expect(answer).toMatch(/^HTTP\/1\.1 [234]\d\d /);
      expect(answer).not.toContain(value);
      const items = await harness.list<{ number: number }>(`/exchanges?after=${last}`);
      for (const { number } of items) {
        const exchange = await harness.get<Exchange>(`/exchanges/${number}`);
        expect(JSON.stringify(exchange)).not.toContain(value);
        expect(exchangeLine(exchange, false)).not.toContain(value);
      }
      expect(items.length).toBeGreaterThan(1);
      last = items[0]?.number ?? last;
    }),
    fuzzing(120),
  );
  expect(harness.faults).toEqual([]);
});

test('behaviour 3: a header is shown only if it has its usual form, since any other value may be a secret', async () => {
  const harness = await startHarness();
  const gotOf = async (headers: Record<string, string>) => {
    const init = { method: 'POST', headers, body: '{}' };
    const page = await (await fetch(`${harness.engine.server().issuer}/logout`, init)).text();
    expect(page).not.toContain('demo-secret');
    return /<dt>Actual<\/dt>\s*<dd><code>(.*?)<\/code>/.exec(page)?.[1];
  };

  expect(await gotOf({ 'Content-Type': 'text/xml' })).toBe('text/xml');
  expect(await gotOf({ 'Content-Type': 'demo-secret' })).toBe('something else');
  const form = 'application/x-www-form-urlencoded';
  expect(await gotOf({ 'Content-Type': `${form};charset=latin1` })).toBe('latin1');
  expect(await gotOf({ 'Content-Type': `${form};charset=demo-secret` })).toBe('something else');
  expect(await gotOf({ 'Content-Type': form, 'Content-Encoding': 'GZIP' })).toBe('gzip');
  expect(await gotOf({ 'Content-Type': form, 'Content-Encoding': 'demo-secret' })).toBe(
    'something else',
  );
});
