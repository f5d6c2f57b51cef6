// The largest, deepest and longest input of the control API: a clear response, no internal error, and no long delay
// for others.

import { once } from 'node:events';
import type { IncomingMessage } from 'node:http';
import { get } from 'node:http';
import { describe, expect, it, onTestFinished } from 'vitest';
import WebSocket from 'ws';
import type { ExchangeDocument, Har } from '../../src/control/export-schemas.ts';
import type { Exchange } from '../../src/control/schemas.ts';
import type { Harness } from '../support/harness.ts';
import { call, expectError, startHarness, TOKEN } from '../support/harness.ts';
import { shareHarness } from '../support/shared-harness.ts';

const MIB = 1_048_576;
const AUTHORIZED = { authorization: `Bearer ${TOKEN}` };
const FORM = { 'Content-Type': 'application/x-www-form-urlencoded' };
const JSON_TYPE = { 'Content-Type': 'application/json' };

const nested = (levels: number) => `${'['.repeat(levels)}${']'.repeat(levels)}`;

/** Sends a raw message. @returns the response */
async function answerTo(harness: Harness, message: string): Promise<unknown> {
  const socket = new WebSocket(`${harness.control.url.replace(/^http/, 'ws')}/rpc`, [
    'grantbench',
    `token.${TOKEN}`,
  ]);
  onTestFinished(() => socket.terminate());
  await once(socket, 'open');
  socket.send(message);
  const [data] = (await once(socket, 'message')) as [Buffer];
  return JSON.parse(data.toString());
}

/** Without a running server, which these requests do not need. */
const stopped = shareHarness({ start: false });

describe('deeply nested JSON', () => {
  it.each([201, 10_000, 1_000_000])('of %d levels is rejected over REST', async (levels) => {
    for (const raw of [nested(levels), `{"a":${nested(levels)}}`, '{"a":'.repeat(levels)]) {
      const answer = await stopped().api('POST', '/clients', undefined, { raw });
      expectError(answer, 400, 'bad_request', undefined, /nested too deeply/);
    }
    expect(stopped().faults).toEqual([]);
  });

  it.each([201, 10_000, 1_000_000])(
    'of %d levels is rejected over the WebSocket',
    async (levels) => {
      const message = `{"i":"7","p":{"u":"/settings/update","b":{"json":{"a":${nested(levels)}}}}}`;
      expect(await answerTo(stopped(), message)).toMatchObject({
        i: '7',
        p: {
          s: 400,
          b: {
            json: { code: 'bad_request', message: expect.stringContaining('deeply') as string },
          },
        },
      });
      expect(stopped().faults).toEqual([]);
    },
  );

  it('within the limit is validated member by member', async () => {
    const raw = `{"client_id":"a","more":${nested(150)}}`;
    expect((await stopped().api('POST', '/clients', undefined, { raw })).status).toBe(422);
    const message = `{"i":"7","p":{"u":"/clients/create","b":{"json":${raw}}}}`;
    expect(await answerTo(stopped(), message)).toMatchObject({ p: { s: 422 } });
    expect(stopped().faults).toEqual([]);
  });

  it('is rejected in a query, too', async () => {
    const answer = await stopped().api('GET', `/exchanges?limit${'[a]'.repeat(4000)}=1`);
    expectError(answer, 422, 'invalid', 'limit');
    expect(stopped().faults).toEqual([]);
  });
});

describe('a long string', () => {
  it.each(['x', '\\n', '\\u0041'])(
    'of 15 MiB of %s is validated without an internal error',
    async (unit) => {
      const raw = `{"client_id":"${unit.repeat((15 * MIB) / unit.length)}"}`;
      expectError(
        await stopped().api('POST', '/clients', undefined, { raw }),
        422,
        'invalid',
        'client_id',
      );
      expect(stopped().faults).toEqual([]);
    },
  );

  it('of exchange numbers is rejected because of its length', async () => {
    const client = await stopped().connect();
    const numbers = '1,'.repeat(5_000_000);
    await expect(client.exchanges.export({ numbers })).rejects.toMatchObject({
      code: 'invalid',
      data: { field: 'numbers' },
    });
    expect(stopped().faults).toEqual([]);
  });
});

describe('a body of up to 16 MiB', () => {
  const settings = { max_body_bytes: 16 * MIB };

  it.each([
    // A form is slow to redact, and the row after these two is as large as one may be.
    ['a form of 2 MiB', FORM, `note=${'some+words+'.repeat(190_000)}`],
    ['many fields in 2 MiB', FORM, 'a=b&'.repeat(MIB / 2)],
    ['one field with blanks', FORM, `scope=${'openid '.repeat(2_300_000)}`],
    ['JSON', JSON_TYPE, `{"note":"${'\\n'.repeat(8 * MIB - 20)}"}`],
    ['JSON of many values', JSON_TYPE, `[${'1,'.repeat(8_000_000)}1]`],
    ['plain text', { 'Content-Type': 'text/plain' }, 'some words here '.repeat(MIB)],
  ])('%s is shown in part with its full size, and exported', async (_, headers, text) => {
    const harness = await startHarness({ workspace: { settings } });
    const raw = Buffer.from(text).subarray(0, 16 * MIB);
    await call(harness.url(), 'POST', '/oauth/token', { raw, headers });
    const view = await harness.get<Exchange>('/exchanges/1');
    for (const { request } of [view, await harness.get<Exchange>('/exchanges/1?secrets=true')]) {
      expect(request.body_bytes).toBe(raw.length);
      expect(request.body.length).toBeGreaterThan(100_000);
      expect(request.body.length).toBeLessThan(300_000);
    }
    const { exchanges } = await harness.get<ExchangeDocument>('/exchanges/export');
    expect(exchanges).toEqual([view]);
    const har = await harness.get<Har>('/exchanges/export?format=har');
    expect(har.log.entries[0]?.request.bodySize).toBe(raw.length);
    expect(harness.faults).toEqual([]);
  });

  it.each([100_000, 131_000, 140_000, 147_400])(
    'shows no part of a secret that begins at %d and is cut off',
    async (place) => {
      const client_secret = `secret-${'s3cr3t'.repeat(20)}`;
      const clients = [
        { client_id: 'demo-app', client_secret, redirect_uris: ['https://a.test/cb'] },
      ];
      const harness = await startHarness({ workspace: { settings, clients } });
      const before = `note=${'some+words+'.repeat(20_000)}`.slice(0, place - 15);
      for (const secret of [client_secret, 's3cr3t'.repeat(40_000)]) {
        for (const body of [
          `${before}&client_secret=${secret}&more=${'x+'.repeat(100_000)}`,
          JSON.stringify({ note: before, client_secret: secret, more: 'x '.repeat(100_000) }),
        ]) {
          const headers = body.startsWith('{') ? JSON_TYPE : FORM;
          await call(harness.url(), 'POST', '/oauth/token', { raw: body, headers });
        }
      }
      const text = JSON.stringify(await harness.get('/exchanges/export'));
      expect(text).not.toContain('s3cr3t');
    },
  );
});

describe('an export with ten thousand clients', () => {
  it('is complete and reveals no secret', async () => {
    const clients = Array.from({ length: 10_000 }, (_, index) => ({
      client_id: `client-${index}`,
      client_secret: `secret-of-client-${index}-${'x'.repeat(20)}`,
      redirect_uris: ['https://app.test/callback'],
    }));
    const harness = await startHarness({ workspace: { clients } });
    for (let made = 0; made < 400; made += 1) {
      await harness.token({
        grant_type: 'refresh_token',
        client_id: `client-${made}`,
        client_secret: `secret-of-client-${made + 1}-${'x'.repeat(20)}`,
        refresh_token: 'x',
      });
    }
    const request = get(`${harness.control.url}/api/exchanges/export?format=har`, {
      headers: AUTHORIZED,
    });
    const [response] = (await once(request, 'response')) as [IncomingMessage];
    const chunks: Buffer[] = [];
    response.on('data', (chunk: Buffer) => chunks.push(chunk));
    await once(response, 'end');
    const text = Buffer.concat(chunks).toString();
    expect((JSON.parse(text) as Har).log.entries).toHaveLength(400);
    expect(text).not.toContain('secret-of-client');
  });
});
