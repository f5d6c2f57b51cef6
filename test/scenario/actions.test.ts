// The actions of steps: exact requests, repetition at a rate, filters of variables, signed assertions.

import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { CLIENT_CASES } from '../../src/core/client-checks/cases.ts';
import { faultSchema } from '../../src/core/records/schemas.ts';
import { composeStep } from '../../src/scenario/actions/index.ts';
import { runScenario } from '../../src/scenario/runner/run-steps.ts';
import type { WireRequest } from '../../src/scenario/runner/scenario-sandbox.ts';
import { composing, sentExactly } from '../support/composing.ts';
import { expectPasses, openSandbox, parsedScenario, problemsOf } from '../support/scenarios.ts';

/** Not a place for a variable. */
const plain = (text: fc.Arbitrary<string>) => text.filter((value) => !value.includes('{{'));
const text = plain(fc.string({ unit: 'binary', maxLength: 40 }));
const token = fc.stringMatching(/^[A-Za-z][A-Za-z0-9-]{0,12}$/);

describe('the action request', () => {
  test('sends headers, query and body byte for byte', () => {
    const request = fc.record({
      method: fc.constantFrom('GET', 'POST', 'PUT', 'PATCH'),
      path: fc.constantFrom('/', '/oauth/token', '/userinfo?x=%20y'),
      headers: fc.array(fc.tuple(token, text), { maxLength: 6 }),
      query: fc.array(fc.tuple(text, text), { maxLength: 4 }),
      body: fc.oneof(text, fc.uint8Array({ maxLength: 40 })),
    });
    fc.assert(
      fc.property(request, ({ method, path, headers, query, body }) => {
        const content =
          typeof body === 'string'
            ? { text: body }
            : { body_base64: Buffer.from(body).toString('base64') };
        const composed = composeStep(
          { request: { method, path, headers, query, ...content } },
          composing(),
        );
        const parameters = new URLSearchParams(query).toString();
        const expected: WireRequest = {
          method,
          path: parameters === '' ? path : `${path}${path.includes('?') ? '&' : '?'}${parameters}`,
          headers,
          body,
        };
        expect(composed).toEqual(expected);
      }),
      { numRuns: 10_000 },
    );
  });

  test('sends a literal request unchanged, including braces', () => {
    const any = fc.oneof(
      fc.string({ unit: 'binary', maxLength: 40 }),
      fc.stringMatching(/^[{}a-z|. ]{0,30}$/),
    );
    const wire = fc.record({
      method: fc.constantFrom('GET', 'POST', 'PUT'),
      path: any.map((rest) => `/${rest}`),
      headers: fc.array(fc.tuple(token, any), { maxLength: 4 }),
      body: fc.oneof(any, fc.uint8Array({ maxLength: 40 })),
    });
    fc.assert(
      fc.property(wire, (request) => {
        expect(sentExactly(request)).toEqual({
          ...request,
          ...(typeof request.body === 'string' ? {} : { body: new Uint8Array(request.body) }),
        });
      }),
      { numRuns: 10_000 },
    );
  });
});

test('an unknown filter of a variable is reported as a problem of the file', async () => {
  const steps = [{ request: { path: '/', text: '{{issuer|upper}}' } }];
  const [problem] = await problemsOf({ steps });
  expect(problem).toMatch(/^steps\[0\]\.request\.text uses the filter upper, which is unknown/);
});

async function run(members: Readonly<Record<string, unknown>>) {
  const parsed = await parsedScenario(members);
  // The keys of assertions are optional.
  const { assertionKey: _, ...sandbox } = await openSandbox(parsed);
  const result = await runScenario('actions', parsed, () => Promise.resolve(sandbox));
  return { ...result, control: sandbox.control };
}

test('the action fault adds each rule of the client checks as it is', async () => {
  const rules = CLIENT_CASES.flatMap((one) => one.rules);
  const { steps, control } = await run({ steps: rules.map((fault) => ({ fault })) });
  expect(steps.filter(({ verdict }) => verdict !== 'passed')).toEqual([]);
  const { items } = await control.faults.list({});
  expect(items.map(({ when, match, effect, times }) => ({ when, match, effect, times }))).toEqual(
    rules.map(({ when, match, effect, times }) => {
      const rule = faultSchema.parse({ id: 'expected', when, match, effect, times });
      return { when: rule.when, match: rule.match, effect: rule.effect, times: rule.times };
    }),
  );
});

describe('a repeated step', () => {
  const LIMIT = { workspace: { settings: { throttle: { limit: 3, window_seconds: 60 } } } };
  const refreshes = (repeat: unknown, expected: object) => [
    { issue_tokens: {} },
    { token: { grant: 'refresh_token' }, repeat, expect: expected },
  ];

  test('behaviour 5.1: counts its responses by status', async () => {
    const expected = { statuses: { 200: 3, 429: 2 } };
    await expectPasses({ ...LIMIT, steps: refreshes({ times: 5, parallel: 2 }, expected) });
  });

  test('ends after the first response with the status in until', async () => {
    const expected = { status: 429, statuses: { 200: 3, 429: 1 } };
    await expectPasses({ ...LIMIT, steps: refreshes({ times: 100, until: 429 }, expected) });
  });

  test.each([
    [0, 'steps[1].repeat must be at least 1'],
    [{ times: 2, parallel: 101 }, 'steps[1].repeat.parallel must be at most 100'],
    [
      { parallel: 2 },
      'steps[1].repeat must be a whole number from 1 to 10000, or an object with times',
    ],
  ])('%j is rejected with %s', async (repeat, problem) => {
    expect(await problemsOf({ steps: refreshes(repeat, { status: 200 }) })).toEqual([problem]);
  });
});

describe('the action authorize', () => {
  const REDIRECT = 'http://localhost:3000/callback?from=app&client_id=other';

  test('encodes a redirect URI that has a query', async () => {
    await expectPasses({
      workspace: {
        clients: [{ client_id: 'app', client_secret: 's', redirect_uris: [REDIRECT] }],
        users: [{ sub: 'ada' }],
        settings: { authorize: 'auto' },
      },
      steps: [
        { authorize: {} },
        { token: { grant: 'authorization_code' }, expect: { status: 200 } },
      ],
    });
  });
});

describe('the action sign_assertion', () => {
  const GRANT = 'urn:ietf:params:oauth:grant-type:jwt-bearer';

  test('behaviour 7.20: signs an assertion for the next step with a key of the run', async () => {
    await expectPasses({
      workspace: {
        clients: [{ client_id: 'app', client_secret: 's', grant_types: [GRANT] }],
        users: [{ sub: 'ada' }],
      },
      steps: [
        { sign_assertion: {} },
        { token: { grant: GRANT }, expect: { status: 200, claims: { sub: 'ada' } } },
        { sign_assertion: { age_seconds: 600 } },
        { token: { grant: GRANT }, expect: { status: 400, error: 'invalid_grant' } },
      ],
    });
  });

  test.each(['client_secret_jwt', 'private_key_jwt'] as const)(
    'behaviour 1.8: the client authenticates with %s, each time with a new assertion',
    async (client_auth) => {
      const grant = 'client_credentials';
      const token = { grant, client_auth };
      await expectPasses({
        workspace: {
          settings: { profile: 'interop' },
          clients: [
            {
              client_id: 'app',
              client_secret: 's'.repeat(32),
              grant_types: [grant, 'urn:ietf:params:oauth:grant-type:device_code'],
              token_endpoint_auth_method: client_auth,
              jwks: { keys: [{ kty: 'OKP', crv: 'Ed25519', x: 'x', kid: 'other' }] },
            },
          ],
          users: [{ sub: 'ada' }],
        },
        steps: [
          { token, expect: { status: 200 } },
          { token, expect: { status: 200 } },
          { authorize_device: { client_auth }, expect: { status: 200 } },
          {
            token: { ...token, fields: { client_assertion: 'not-a-jwt' } },
            expect: { status: 401, error: 'invalid_client' },
          },
        ],
      });
    },
  );

  test('reports a missing key', async () => {
    const { steps } = await run({ steps: [{ sign_assertion: {} }] });
    expect(steps[0]?.failure?.message).toBe('demo-app has no key here to sign with');
  });
});
