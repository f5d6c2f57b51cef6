// For any input, core responds with an OAuthError and consumes nothing, and the next valid request works.

import fc from 'fast-check';
import { expect, test } from 'vitest';
import type { TokenRequest } from '../../src/core/model/request.ts';
import { PROFILES } from '../../src/core/records/schemas.ts';
import { JWT_BEARER } from '../support/assertion.ts';
import {
  basic,
  createTestService,
  expectNotes,
  ORDERS,
  REDIRECT_URI,
  START,
  withCode,
} from '../support/core.ts';
import { words } from '../support/words.ts';

const NAMES = words(
  'grant_type client_id client_secret audience redirect_uri code refresh_token scope',
  'code_verifier resource __proto__ constructor client_assertion client_assertion_type',
);

/** Looks like an assertion of the demo client, but is not valid. */
const UNSIGNED = ['{"alg":"ES256"}', '{"sub":"demo-app","iss":"demo-app"}', 'signature']
  .map((part) => Buffer.from(part).toString('base64url'))
  .join('.');

const text = fc.oneof(
  fc.string({ unit: 'binary' }),
  fc.string({ unit: 'grapheme-ascii' }),
  fc.constantFrom('', '\0', '\ud800', 'é', '__proto__', 'constructor', 'x'.repeat(5000)),
);
const name = fc.oneof({ weight: 5, arbitrary: fc.constantFrom(...NAMES) }, text);
/** GOOD_CODE and GOOD_REFRESH are placeholders for the credentials of the run. */
const value = fc.oneof(
  text,
  fc.constantFrom('GOOD_CODE', 'GOOD_REFRESH', 'authorization_code', 'refresh_token'),
  fc.constantFrom('demo-app', 'demo-secret', 'admin', 'admin-secret', ORDERS, REDIRECT_URI),
  fc.constantFrom('client_credentials', JWT_BEARER, UNSIGNED),
);
const authorization = fc.oneof(
  { weight: 3, arbitrary: fc.constant(null) },
  text,
  fc.constantFrom('Basic', basic('demo-app', 'demo-secret'), basic('demo-app', 'x'), 'Bearer x'),
  text.map((secret) => `Basic ${Buffer.from(secret).toString('base64')}`),
);
const wholeExchange: [string, string][] = [
  ['grant_type', 'authorization_code'],
  ['client_id', 'demo-app'],
  ['client_secret', 'demo-secret'],
  ['audience', ORDERS],
  ['redirect_uri', REDIRECT_URI],
  ['code', 'GOOD_CODE'],
];
const wholeRefresh: [string, string][] = [
  ['grant_type', 'refresh_token'],
  ['client_id', 'demo-app'],
  ['client_secret', 'demo-secret'],
  ['refresh_token', 'GOOD_REFRESH'],
];
/** Any parameters, or a valid request with some parameters changed. */
const parameters = fc
  .tuple(fc.constantFrom([], wholeExchange, wholeRefresh), fc.array(fc.tuple(name, value)))
  .map(([whole, others]) => [...whole, ...others]);
const content_type = fc.constantFrom('json', 'form');
const request = fc.record({ content_type, query: fc.array(name, { maxLength: 3 }), authorization });

test.each(PROFILES)(
  'behaviour 3 (%s): any map of parameters is accepted or rejected with an OAuthError, and a rejection consumes nothing',
  async (profile) => {
    await fc.assert(
      fc.asyncProperty(parameters, request, async (pairs, members) => {
        const bench = createTestService({
          settings: { profile, access_token_format: 'opaque', refresh_rotation: { enabled: true } },
        });
        const { refresh_token, lineage } = await bench.signIn();
        const code = await bench.issueCode();
        const good = new Map([
          ['GOOD_CODE', code.value],
          ['GOOD_REFRESH', refresh_token],
        ]);
        const sent: TokenRequest = {
          ...members,
          parameters: new Map(pairs.map(([key, one]) => [key, good.get(one) ?? one])),
          repeated: new Set(),
          dpop: null,
          ip: '127.0.0.1',
        };
        const { answer, refusal } = await bench.evaluate(sent);
        if (answer !== null) return;
        expect(refusal?.description).toMatch(/^[\x20-\x21\x23-\x5b\x5d-\x7e]+$/);
        expect(code.state).toBe('issued');
        expect([lineage.revoked_at, code.lineage.revoked_at]).toEqual([null, null]);
        expect((await bench.stores.findRefreshToken(refresh_token, START))?.state).toBe('active');
        bench.answered(await bench.exchange(code.value));
        bench.answered(await bench.refresh(refresh_token));
      }),
      { numRuns: 200 },
    );
  },
);

test.each(['__proto__', 'constructor', 'prototype', 'toString', 'hasOwnProperty'])(
  'behaviour 1: a parameter named %s is ignored like any unknown parameter',
  async (key) => {
    const { redeem, refresh } = createTestService();
    const odd = Object.fromEntries([[key, 'polluted']]);
    const exchanged = await redeem({}, odd);
    expectNotes(exchanged, 'unknown_parameters: a parameter');
    const refreshed = await refresh(exchanged.answer?.refresh_token ?? '', odd);
    expect(refreshed.answer).not.toBeNull();
    expect(Object.prototype).not.toHaveProperty('polluted');
  },
);

test.each(['\0', 'é', '\ud800', ' ', '\u202e', 'x'.repeat(60_000)])(
  'behaviour 3: %j in any parameter is rejected, and the next valid request works',
  async (odd) => {
    const { send, answered } = await withCode();
    for (const [key] of wholeExchange) {
      const outcome = await send({ [key]: odd });
      expect(outcome.refusal?.description).not.toContain(odd.trim() || 'never');
    }
    answered(await send());
  },
);
