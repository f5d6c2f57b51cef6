// A scenario run against a provider: which steps are sent, and what is compared in two responses.

import { describe, expect, it } from 'vitest';
import { planFor, type Provider } from '../../src/scenario/against/plan.ts';
import {
  differencesIn,
  expectedResult,
  profileOf,
  valuesOf,
} from '../../src/scenario/against/result.ts';
import {
  asExpectedOfProvider,
  forProvider,
  withoutExpectation,
} from '../../src/scenario/against/sent-steps.ts';
import type { ParsedScenario } from '../../src/scenario/parse.ts';
import { junitReport } from '../../src/scenario/reports/junit.ts';
import type { ScenarioResult } from '../../src/scenario/runner/run-steps.ts';
import type { HttpAnswer } from '../../src/scenario/runner/scenario-sandbox.ts';
import { parsedScenario } from '../support/scenarios.ts';

const CLIENTS = [
  {
    client_id: 'first',
    client_secret: 'first-secret',
    redirect_uris: ['http://localhost:3000/callback'],
    grant_types: ['authorization_code', 'refresh_token', 'client_credentials', 'password'],
  },
  {
    client_id: 'second',
    client_secret: 'second-secret',
    redirect_uris: ['http://localhost:3000/callback'],
  },
];

const scenario = (...steps: readonly unknown[]): Promise<ParsedScenario> =>
  parsedScenario({ steps, workspace: { clients: CLIENTS } });

const provider = (more: Partial<Provider> = {}): Provider => ({
  unavailable: () => null,
  no_sign_in: 'nobody signs in',
  has: new Set(['client.client_secret']),
  allow_destructive: false,
  ...more,
});

/** The reason why each step is skipped; null for a step that is sent. */
async function plan(steps: readonly unknown[], more: Partial<Provider> = {}) {
  const parsed = await scenario(...steps);
  const { sent, skipped } = planFor(parsed, provider(more));
  return parsed.scenario.steps.map((_, index) =>
    sent.includes(index) ? null : (skipped.get(index) ?? 'lost'),
  );
}

const MACHINE = { token: { grant: 'client_credentials' } };

describe('behaviour 12.14: the steps that are sent', () => {
  it('sandbox-only steps are skipped, and so are the steps that depend on them', async () => {
    const steps = [
      { issue_code: {} },
      { token: { grant: 'authorization_code' } },
      MACHINE,
      { request: { path: '/userinfo', headers: { Authorization: 'Bearer {{access_token}}' } } },
      { clock: { advance_seconds: 5 } },
      { expire: '{{access_token}}' },
    ];
    expect(await plan(steps)).toEqual([
      'only a sandbox issues codes without a sign-in',
      'needs {{code}}, which the run does not have',
      null,
      null,
      'only a sandbox has a clock that can be moved',
      'only a sandbox expires what it has issued',
    ]);
  });

  it('a step is skipped when its value would come from an earlier step than intended', async () => {
    const userinfo = {
      request: { path: '/userinfo', headers: { Authorization: 'Bearer {{access_token}}' } },
    };
    expect(
      await plan([MACHINE, userinfo, { issue_tokens: {} }, userinfo, MACHINE, userinfo]),
    ).toEqual([
      null,
      null,
      'only a sandbox issues tokens without a grant',
      'needs {{access_token}}, which the run does not have',
      null,
      null,
    ]);
  });

  it('a path that is not an endpoint, and an endpoint that the provider lacks, are skipped', async () => {
    const unavailable: Provider['unavailable'] = (name) =>
      name === 'userinfo' ? 'the provider announces no userinfo_endpoint' : null;
    const steps = [{ request: { path: '/livez' } }, { request: { path: '/userinfo?a=b' } }];
    expect(await plan(steps, { unavailable })).toEqual([
      'only a sandbox has this path',
      'the provider announces no userinfo_endpoint',
    ]);
  });

  it('behaviour 12.18: an authorization needs a user who signs in, and is always approved', async () => {
    const steps = [{ authorize: {} }, { authorize: { sign_in: 'deny' } }];
    expect(await plan(steps)).toEqual([
      'nobody signs in',
      'only a sandbox decides on sign-in: deny',
    ]);
  });

  it('steps of a second client are skipped, because only one has credentials', async () => {
    const other = { token: { grant: 'client_credentials', client: 'second' } };
    expect(await plan([MACHINE, other])).toEqual([
      null,
      'is for the client second, but the credentials of the run replace first',
    ]);
    expect(await plan([other])).toEqual([null]);
  });

  it('what is signed with a key of the run is skipped, as no provider knows that key', async () => {
    const machine = { grant: 'client_credentials' };
    const steps = [
      { sign_assertion: {} },
      { token: { ...machine, client_auth: 'private_key_jwt' } },
      { token: { ...machine, client_auth: 'client_secret_jwt' } },
      { authorize: { request_object: {} } },
    ];
    const why = 'only a sandbox registers the key that signs it';
    expect(await plan(steps, { no_sign_in: null })).toEqual([why, why, null, why]);
  });

  it('the password grant needs a user of the run', async () => {
    const step = { token: { grant: 'password' } };
    expect(await plan([step])).toEqual(['needs {{user.sub}}, which the run does not have']);
    const has = new Set(['client.client_secret', 'user.sub', 'user.password']);
    expect(await plan([step], { has })).toEqual([null]);
  });
});

const form = (fields: Record<string, unknown>) => ({
  token: { grant: 'client_credentials', fields },
});

describe('behaviour 12.14: the expectations of a provider', () => {
  it('omit members of traces, and of a sign-in keep only its redirect', async () => {
    const expected = {
      status: 200,
      error: null,
      redirect: { code: { $type: 'string' } },
      failed_check: null,
      cause: 'x',
      reason: 'code_redeemed',
      deviations: [],
      advisories: [],
    };
    const { scenario: parsed } = await scenario(
      { ...MACHINE, expect: expected },
      { authorize: {}, expect: expected },
      MACHINE,
    );
    const { status, error, redirect } = expected;
    expect(parsed.steps.map((step) => asExpectedOfProvider(step).expect)).toEqual([
      { status, error, redirect },
      { error, redirect },
      undefined,
    ]);
  });

  it('skip a step that expects a value of a skipped step, but not one that expects its own value', async () => {
    const issued = { issue_tokens: {}, save: { issued: 'body.scope' } };
    const own = { ...MACHINE, save: { own: 'body.scope' } };
    const expecting = (scope: string) => ({ body: { scope } });
    const steps = [
      issued,
      { ...MACHINE, expect: expecting('{{issued}}') },
      { ...own, expect: expecting('{{own}}') },
    ];
    expect(await plan(steps)).toEqual([
      'only a sandbox issues tokens without a grant',
      'needs {{issued}}, which the run does not have',
      null,
    ]);
  });
});

describe('behaviour 12.15: steps never sent, or only with --allow-destructive', () => {
  it.each([
    ['in a field', form({ client_secret: 'first-secret' })],
    ['of another client', form({ note: 'x-second-secret-x' })],
    [
      'in HTTP Basic',
      {
        ...MACHINE,
        token: {
          ...MACHINE.token,
          headers: { Authorization: `Basic ${btoa('first:first-secret')}` },
        },
      },
    ],
    [
      'percent-encoded',
      { request: { path: '/oauth/token', text: 'client_secret=%66irst-secret' } },
    ],
  ])('a secret of the scenario %s is never sent', async (_, step) => {
    expect(await plan([step], { allow_destructive: true })).toEqual([
      'contains a secret of the scenario',
    ]);
  });

  it.each([
    ['is repeated', { ...MACHINE, repeat: 2 }],
    ['uses the revocation endpoint', { request: { path: '/oauth/revoke', form: {} } }],
    ['sends a client_secret of its own', form({ client_secret: 'wrong' })],
    ['sends a client_secret of its own', form({ client_secret: null })],
    [
      'sends a password of its own',
      { token: { grant: 'password', fields: { username: null, password: '{{issuer}}' } } },
    ],
    [
      'sends a code of its own',
      { request: { path: '/oauth/token?code=guess&code={{issuer}}', method: 'POST' } },
    ],
    ['sends a code of its own', { request: { path: '/oauth/token', form: { code: 'guess' } } }],
    ['sends no client authentication', { token: { ...MACHINE.token, client_auth: 'none' } }],
    [
      'sends an Authorization header of its own',
      { request: { path: '/userinfo', headers: { authorization: 'Bearer guess' } } },
    ],
    [
      'sends a body as text, whose credentials are not known',
      { request: { path: '/oauth/token', text: 'a=b' } },
    ],
    [
      'sends a body as bytes, whose credentials are not known',
      { request: { path: '/oauth/token', body_base64: 'YT1i' } },
    ],
    [
      'sends an Authorization header of its own',
      { request: { path: '/userinfo', headers: [['Authorization', 'Bearer guess']] } },
    ],
    [
      'sends a client_secret of its own',
      { request: { path: '/oauth/token', form: [['client_secret', 'guess']] } },
    ],
    [
      'sends a code of its own',
      {
        request: {
          path: '/oauth/token',
          query: [
            ['code', 'guess'],
            ['code', '{{issuer}}'],
          ],
        },
      },
    ],
    [
      'sends a DPoP proof with deliberate mistakes',
      { token: { ...MACHINE.token, dpop: { age_seconds: 3600 } } },
    ],
    ['is sent with DELETE', { request: { path: '/userinfo', method: 'DELETE' } }],
  ])('a step that %s is skipped by default', async (why, step) => {
    expect(await plan([step])).toEqual([`${why}; allow it with --allow-destructive`]);
    expect(await plan([step], { allow_destructive: true })).toEqual([null]);
  });

  it('none of them fails the first step, so that no report passes', async () => {
    const parsed = await scenario({ clock: { reset: true } }, { issue_tokens: {} });
    const none = { file: 'it.json', name: 'It', verdict: 'passed', duration_ms: 0, steps: [] };
    const { verdict, steps } = expectedResult(
      parsed,
      planFor(parsed, provider()),
      none as ScenarioResult,
      String,
    );
    expect(verdict).toBe('failed');
    expect(steps.map(({ failure, why_skipped }) => failure?.message ?? why_skipped)).toEqual([
      'No step of the scenario can be sent to the provider. This step: only a sandbox has a clock that can be moved',
      'only a sandbox issues tokens without a grant',
    ]);
    expect(junitReport([{ ...(none as ScenarioResult), steps }])).toContain('failures="1"');
  });

  it('a code is redeemed once, by any kind of step', async () => {
    const redeem = { token: { grant: 'authorization_code' } };
    const request = { path: '/oauth/token', form: { code: '{{code}}' } };
    const steps = [{ authorize: {} }, redeem, redeem, { request }, { authorize: {} }, redeem];
    const again = 'redeems a code again; allow it with --allow-destructive';
    const signed = { no_sign_in: null };
    expect(await plan(steps, signed)).toEqual([null, null, again, again, null, null]);
    expect(await plan(steps, { ...signed, allow_destructive: true })).not.toContain(again);
  });

  it('a refresh token that may have been rotated is not sent', async () => {
    const first = { ...MACHINE, save: { first: 'body.refresh_token' } };
    const refresh = (refresh_token: string) => ({
      token: { grant: 'refresh_token', fields: { refresh_token } },
    });
    expect(await plan([first, refresh('{{refresh_token}}'), refresh('{{first}}')])).toEqual([
      null,
      null,
      'sends a refresh_token of its own; allow it with --allow-destructive',
    ]);
  });

  it('a step is sent without names and expectations of the scenario', async () => {
    const parsed = await scenario({
      token: { grant: 'client_credentials', client: 'first' },
      expect: { status: 200 },
    });
    const sent = parsed.scenario.steps.map((step) => forProvider(withoutExpectation(step)));
    expect(sent).toEqual([MACHINE]);
  });
});

const answer = (body: unknown, more: Partial<HttpAnswer> = {}): HttpAnswer => ({
  status: 200,
  headers: { 'content-type': 'application/json; charset=utf-8' },
  text: typeof body === 'string' ? body : JSON.stringify(body),
  exchange: null,
  ...more,
});

const jwt = (claims: unknown, header: unknown = { alg: 'ES256', typ: 'at+jwt' }) =>
  [header, claims, {}]
    .map((part) => Buffer.from(JSON.stringify(part)).toString('base64url'))
    .join('.');

describe('behaviour 12.16: the comparison', () => {
  it('covers status, members, claims, lifetimes and headers, without values of users and tokens', () => {
    const token = jwt({ iss: 'https://a.example', sub: 'ada', iat: 10, exp: 70, groups: ['x', 1] });
    const profile = profileOf(
      answer(
        { access_token: token, token_type: 'Bearer', expires_in: 60, scope: 'read' },
        {
          headers: {
            'content-type': 'application/json; charset=utf-8',
            'cache-control': 'no-store',
            'www-authenticate': 'Bearer realm="x", error="invalid_token"',
            'retry-after': '17',
            'x-served-by': 'one',
          },
        },
      ),
    );
    expect(Object.fromEntries(profile)).toEqual({
      status: '200',
      'headers.content-type': 'application/json',
      'headers.cache-control': 'no-store',
      'headers.retry-after': 'present',
      'headers.www-authenticate': 'Bearer invalid_token',
      'body.access_token': 'a JWT',
      'body.token_type': '"Bearer"',
      'body.expires_in': '60',
      'body.scope': 'a string',
      'access_token.header.alg': '"ES256"',
      'access_token.header.typ': '"at+jwt"',
      'access_token.claims.iss': 'a string',
      'access_token.claims.sub': 'a string',
      'access_token.claims.iat': 'a number',
      'access_token.claims.exp': 'a number',
      'access_token.claims.groups': 'an array of: a number, a string',
      'access_token.lifetime': '60 s',
    });
  });

  it('covers the parameter names and the error of a redirect, and nothing else of a sign-in', () => {
    const redirect = answer('', {
      status: 303,
      headers: { location: 'https://app.example/cb?code=secret&state=s' },
    });
    expect(Object.fromEntries(profileOf(redirect, true))).toEqual({
      'redirect.code': 'a string',
      'redirect.state': 'a string',
    });
  });

  it('hides values that are not protocol terms, and values of unbounded length', () => {
    const odd = profileOf(answer({ error: 'x\u001b[2J', token_type: 'y'.repeat(1000) }));
    expect([odd.get('body.error'), odd.get('body.token_type')]).toEqual(['a string', 'a string']);
    const many = Object.fromEntries(Array.from({ length: 5000 }, (_, at) => [`m${at}`, at]));
    expect(profileOf(answer(many)).size).toBeLessThanOrEqual(500);
    for (const [open, close] of [
      ['{"a":', '}'],
      ['[', ']'],
    ] as const) {
      const deep = `{"a":${open.repeat(50_000)}1${close.repeat(50_000)}}`;
      expect(profileOf(answer(deep)).size).toBeLessThan(10);
    }
  });

  it('reports one difference for each missing or different value', () => {
    const [ours, theirs] = [
      profileOf(answer({ expires_in: 60, scope: 'a' })),
      profileOf(answer({ expires_in: 90, id: 1 }, { status: 201 })),
    ];
    expect(differencesIn(valuesOf(ours, theirs))).toEqual([
      { what: 'status', expected: '200', got: '201' },
      { what: 'body.expires_in', expected: '60', got: '90' },
      { what: 'body.scope', expected: 'a string', got: 'nothing' },
      { what: 'body.id', expected: 'nothing', got: 'a number' },
    ]);
    expect(differencesIn(valuesOf(ours, ours))).toEqual([]);
  });
});
