// HAR 1.2 (softwareishard.com/blog/har-12-spec), checked with another project's validator and types.

import type * as spec from 'har-format';
import { har as validateHar } from 'har-validator';
import { describe, expect, it } from 'vitest';
import type { HarEntry } from '../../src/control/export-schemas.ts';
import { harEntry, harOf } from '../../src/engine/exchanges/har.ts';
import { type ExchangeMembers, exchangeOf } from '../support/exchanges.ts';

const ISSUER = 'http://localhost:4280';

/** The types of the specification but for one thing: like Chrome we give a form's text and its params. */
type SpecEntry = Omit<spec.Entry, 'request'> & { request: Omit<spec.Request, 'postData'> };

async function entryOf(members: ExchangeMembers, issuer = ISSUER): Promise<HarEntry> {
  const archive = harOf([harEntry(exchangeOf(members), issuer)], '1.0.0');
  await validateHar(JSON.parse(JSON.stringify(archive)));
  const [entry] = archive.log.entries satisfies SpecEntry[];
  return entry!;
}

const FORM = 'application/x-www-form-urlencoded';

describe('a HAR entry', () => {
  it('has the sandbox time of arrival, and the duration as time and as wait', async () => {
    const { startedDateTime, time, timings, cache } = await entryOf({
      at: '2031-01-02T03:04:05.678Z',
      duration_ms: 12.25,
    });
    expect(startedDateTime).toBe('2031-01-02T03:04:05.678Z');
    expect(time).toBe(12.25);
    expect(timings).toEqual({
      blocked: -1,
      dns: -1,
      connect: -1,
      ssl: -1,
      send: 0,
      wait: 12.25,
      receive: 0,
    });
    expect(cache).toEqual({});
  });

  it('says that the size of headers is not known', async () => {
    const { request, response } = await entryOf({ request: { body_bytes: 7, body: 'grant_t' } });
    expect([request.headersSize, response.headersSize]).toEqual([-1, -1]);
    expect(request.bodySize).toBe(7);
  });

  it('keeps headers in their order, repeated ones too', async () => {
    const { request } = await entryOf({
      request: {
        headers: [
          ['X-One', '1'],
          ['Accept', '*/*'],
          ['X-One', '2'],
        ],
      },
    });
    expect(request.headers).toEqual([
      { name: 'X-One', value: '1' },
      { name: 'Accept', value: '*/*' },
      { name: 'X-One', value: '2' },
    ]);
  });

  it.each([
    ['/oauth/token', [], 'http://localhost:4280/oauth/token'],
    ['/oauth/token', [['Host', '127.0.0.1:9']], 'http://127.0.0.1:9/oauth/token'],
    ['/oauth/token', [['Host', '[::1]:4280']], 'http://[::1]:4280/oauth/token'],
    ['/oauth/token', [['Host', 'a b<']], 'http://localhost:4280/oauth/token'],
    ['//x/y', [], 'http://localhost:4280//x/y'],
    ['http://other.example/p', [], 'http://other.example/p'],
    ['*', [], 'http://localhost:4280/'],
    ['/a?code=[redacted]', [], 'http://localhost:4280/a?code=%5Bredacted%5D'],
    ['/a%zz?q={"a": 1}#é', [], 'http://localhost:4280/a%25zz?q=%7B%22a%22:%201%7D%23%C3%A9'],
  ] as const)('makes %s with the headers %j an absolute URI', async (path, headers, url) => {
    const { request } = await entryOf({
      path,
      request: { headers: headers.map(([n, v]) => [n, v]) },
    });
    expect(request.url).toBe(url);
  });

  it('takes the scheme from the issuer', async () => {
    const headers: [string, string][] = [['host', 'localhost:4280']];
    const { request } = await entryOf({ request: { headers } }, 'https://localhost:4280');
    expect(request.url).toBe('https://localhost:4280/oauth/token');
  });

  it('reads the query, repeated and empty members too', async () => {
    const { request } = await entryOf({ path: '/authorize?a=1&a=2%20&b=&c?d' });
    expect(request.queryString).toEqual([
      { name: 'a', value: '1' },
      { name: 'a', value: '2 ' },
      { name: 'b', value: '' },
      { name: 'c?d', value: '' },
    ]);
  });

  it('has the text of a form and its parameters', async () => {
    const body = 'grant_type=refresh_token&scope=a+b';
    const headers: [string, string][] = [['content-type', `${FORM}; charset=utf-8`]];
    const { request } = await entryOf({ request: { headers, body } });
    expect(request.postData).toEqual({
      mimeType: `${FORM}; charset=utf-8`,
      text: body,
      params: [
        { name: 'grant_type', value: 'refresh_token' },
        { name: 'scope', value: 'a b' },
      ],
    });
  });

  it('has no parameters for JSON, and no postData without a body', async () => {
    const headers: [string, string][] = [['Content-Type', 'application/json']];
    const { request } = await entryOf({ request: { headers, body: '{"a":1}' } });
    expect(request.postData).toEqual({ mimeType: 'application/json', text: '{"a":1}' });
    expect((await entryOf({})).request).not.toHaveProperty('postData');
  });

  it('says so when what was posted is base64 or was cut short', async () => {
    const binary = await entryOf({
      request: { body: '/w==', body_encoding: 'base64', body_bytes: 1 },
    });
    expect(binary.request.postData?.comment).toBe('base64 of bytes that are not UTF-8');
    const cut = await entryOf({ request: { body: 'abc', body_bytes: 70_000 } });
    expect(cut.request.postData?.comment).toBe('the first 3 of 70000 bytes');
    expect(cut.request.bodySize).toBe(70_000);
    const redacted = await entryOf({ request: { body: 'code=[redacted]', body_bytes: 200 } });
    expect(redacted.request.postData).not.toHaveProperty('comment');
  });

  it('has the response with its content and its redirect', async () => {
    const { response } = await entryOf({
      status: 302,
      response: {
        reason: 'Found',
        headers: [
          ['Location', 'http://localhost:3000/callback?code=[redacted]'],
          ['Content-Type', 'text/html; charset=utf-8'],
        ],
        body: '<p>é',
        body_bytes: 5,
      },
    });
    expect(response).toMatchObject({
      status: 302,
      statusText: 'Found',
      httpVersion: 'HTTP/1.1',
      redirectURL: 'http://localhost:3000/callback?code=[redacted]',
      content: { size: 5, mimeType: 'text/html; charset=utf-8', text: '<p>é' },
      bodySize: 5,
    });
  });

  it('reads cookies sent and set', async () => {
    const { request, response } = await entryOf({
      request: { headers: [['Cookie', 'a=1; b=2=3; nonsense']] },
      response: {
        headers: [
          ['Set-Cookie', 's=x; Path=/; HttpOnly; Expires=Wed, 01 Jan 2031 00:00:00 GMT'],
          ['Set-Cookie', 't=y; Secure'],
          ['Set-Cookie', '[redacted]'],
        ],
      },
    });
    expect(request.cookies).toEqual([
      { name: 'a', value: '1' },
      { name: 'b', value: '2=3' },
    ]);
    expect(response.cookies).toEqual([
      {
        name: 's',
        value: 'x',
        path: '/',
        expires: '2031-01-01T00:00:00.000Z',
        httpOnly: true,
        secure: false,
      },
      { name: 't', value: 'y', httpOnly: false, secure: true },
    ]);
  });

  it('is valid for a request without a response', async () => {
    const { response } = await entryOf({ status: 0, response: { reason: '' } });
    expect(response).toMatchObject({ status: 0, statusText: '', content: { size: 0, text: '' } });
  });

  it('contains the cause and other data that only Grantbench has', async () => {
    const summary = 'The code was used before.';
    const entry = await entryOf({
      number: 41,
      status: 400,
      error: 'invalid_grant',
      cause: 'used at 10:02:11 by exchange 41',
      fault: { id: 'f', name: '', what: 'Closed the connection after half of the body.' },
      why: {
        reason: 'code_redeemed',
        check: 'credential_live',
        summary,
        detail: null,
        advice: null,
        differs_at: null,
        accepted_by: null,
      },
    });
    expect(entry.comment).toBe(summary);
    expect(entry).toMatchObject({
      _grantbench: {
        number: 41,
        error: 'invalid_grant',
        cause: 'used at 10:02:11 by exchange 41',
        client_id: 'demo-app',
        fault: 'Closed the connection after half of the body.',
      },
    });
  });
});

it('an archive without entries is valid', async () => {
  const archive = harOf([], '1.0.0');
  await expect(validateHar(archive)).resolves.toBe(archive);
  expect(archive.log).toMatchObject({ version: '1.2', creator: { name: 'Grantbench' }, pages: [] });
});
