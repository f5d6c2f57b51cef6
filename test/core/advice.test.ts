// Behaviour 3.12: the advice in a rejection. If the profile is the cause, it says so and how to change it.

import { describe, expect, test } from 'vitest';
import { describeCause, shortCause } from '../../src/core/checks/describe-cause.ts';
import { OAuthError } from '../../src/core/checks/errors.ts';
import { GRANT_TYPES } from '../../src/core/records/enumerations.ts';
import type { Profile } from '../../src/core/records/schemas.ts';
import type { Outcome, RequestParameters } from '../support/core.ts';
import {
  basic,
  BILLING,
  client,
  createTestService,
  expectRefusal,
  PUBLIC,
  tokenRequest,
} from '../support/core.ts';

const VERIFIER = 'v'.repeat(43);

function causeOf({ refusal, evaluation }: Outcome) {
  if (refusal === null) throw new Error('not rejected');
  return describeCause(refusal, evaluation.client_id);
}

interface Sent {
  readonly client?: Parameters<typeof client>[0];
  readonly parameters?: RequestParameters;
  readonly members?: Parameters<typeof tokenRequest>[1];
  readonly scope?: string;
}

const noBody = { client_id: undefined, client_secret: undefined };
const byBasic: Sent = {
  parameters: noBody,
  members: { authorization: basic('demo-app', 'demo-secret') },
};
const REFUSED_BY_PROFILE: readonly [Profile, string, Profile, Sent][] = [
  ['documented', 'HTTP Basic', 'interop', byBasic],
  ['strict', 'HTTP Basic', 'interop', byBasic],
  [
    'strict',
    'another Authorization header',
    'documented',
    { members: { authorization: 'Bearer x' } },
  ],
  [
    'documented',
    'a public client',
    'interop',
    {
      client: PUBLIC,
      parameters: { client_secret: undefined, code_verifier: VERIFIER },
    },
  ],
  ['documented', 'a missing audience', 'interop', { parameters: { audience: undefined } }],
  ['strict', 'an empty audience', 'interop', { parameters: { audience: '' } }],
  ['strict', 'a form', 'documented', { members: { content_type: 'form' } }],
  ['strict', 'credentials in the query', 'documented', { members: { query: ['code'] } }],
  [
    'documented',
    'an undefined scope',
    'interop',
    { parameters: { audience: BILLING }, scope: 'orders:read' },
  ],
  [
    'strict',
    'extra blanks in the scope',
    'documented',
    {
      client: { grant_types: ['authorization_code', 'client_credentials'] },
      parameters: {
        grant_type: 'client_credentials',
        code: undefined,
        redirect_uri: undefined,
        scope: ' orders:read',
      },
      members: { content_type: 'form' },
    },
  ],
];

describe('a rejection by the profile', () => {
  test.each(REFUSED_BY_PROFILE)(
    'behaviour 3.12 (%s), %s: the cause names %s, and the request is accepted once the client has that profile',
    async (profile, _name, accepted_by, { client: record, parameters, members, scope }) => {
      const app = createTestService({ settings: { profile }, clients: [client(record)] });
      const { value } = await app.issueCode({
        ...(scope === undefined ? {} : { scope }),
        ...(record === undefined
          ? {}
          : { code_challenge: VERIFIER, code_challenge_method: 'plain' }),
      });
      const rejected = await app.exchange(value, parameters, members);
      const cause = causeOf(rejected);
      expect(cause.accepted_by).toBe(accepted_by);
      expect(cause.advice).toMatch(
        new RegExp(
          `Or use the ${accepted_by} profile for this client, which accepts this: grantbench clients set demo-app profile=${accepted_by}\\.$`,
        ),
      );
      expect(rejected.refusal && shortCause(rejected.refusal)).toContain(
        `the ${accepted_by} profile accepts it`,
      );
      app.service.registry.clients.put(client({ ...record, profile: accepted_by }));
      expect((await app.exchange(value, parameters, members)).answer).not.toBeNull();
    },
  );

  test('behaviour 3.12: without a registered client the advice is about the workspace', async () => {
    const { evaluate } = createTestService();
    const authorization = basic('nobody', 'x');
    const { advice } = causeOf(
      await evaluate(tokenRequest({ ...noBody, code: 'x' }, { authorization })),
    );
    expect(advice).toContain('grantbench settings set profile=interop');
  });

  test('behaviour 3.12: the advice quotes a client_id that a shell would interpret', async () => {
    const client_id = "it's; rm";
    const { evaluate } = createTestService({ clients: [client({ client_id })] });
    const { advice } = causeOf(
      await evaluate(tokenRequest({ client_id, code: 'x', audience: '' })),
    );
    expect(advice).toContain(`grantbench clients set 'it'\\''s; rm' profile=interop`);
  });
});

describe('a rejection under every profile', () => {
  const none = async (
    parameters: RequestParameters,
    record: Parameters<typeof client>[0] = {},
    profile: Profile = 'documented',
  ) => {
    const { evaluate } = createTestService({ settings: { profile }, clients: [client(record)] });
    return causeOf(await evaluate(tokenRequest({ code: 'x', ...parameters })));
  };

  test.each([
    ['a wrong secret', { client_secret: 'wrong' }, {}],
    ['a missing secret', { client_secret: undefined }, {}],
    ['a missing code', { code: undefined }, {}],
    [
      'a missing redirect_uri, which the authorization request may have contained',
      { redirect_uri: '' },
      {},
    ],
    ['a secret that a public client sends', {}, PUBLIC],
    [
      'client_credentials of a public client',
      { grant_type: 'client_credentials', client_secret: undefined },
      { ...PUBLIC, grant_types: ['client_credentials' as const] },
    ],
  ])(
    'behaviour 3.12: %s is rejected under every profile, so the advice names none',
    async (_, parameters, record) => {
      const cause = await none(parameters, record);
      expect(cause.accepted_by).toBeNull();
      expect(cause.advice).not.toContain('grantbench');
    },
  );

  test.each(['documented', 'strict'] as const)(
    'behaviour 3.12 (%s): HTTP Basic beside a secret is rejected under every profile, unless the provider accepts it',
    async (profile) => {
      const { evaluate, setShape } = createTestService({ settings: { profile } });
      const twice = tokenRequest({ code: 'x' }, byBasic.members);
      expect(causeOf(await evaluate(twice)).accepted_by).toBeNull();
      setShape({ provider: 'keycloak' });
      expect(causeOf(await evaluate(twice)).accepted_by).toBe('interop');
    },
  );

  test('behaviour 3.12, 20.5: only a client_id that can be the URL of a document is advised about documents', () => {
    const about = (got: string) =>
      describeCause(new OAuthError('authorization_client_unknown', { got })).advice;
    expect(about('http://localhost:1/client.json')).toContain('registration.document_origins');
    for (const got of ['http://localhost:1/', 'http://localhost:1/c#d', 'http://u@localhost/c']) {
      expect(about(got)).toBe(about('shop'));
    }
  });

  test('behaviour 3.12: a secret sent by a client without one is not called wrong', async () => {
    expect((await none({}, PUBLIC)).summary).toBe(
      'A client_secret was sent, but the client is registered without one.',
    );
  });
});

describe('an unsupported grant_type', () => {
  test.each([
    ['implicit', 'got "implicit"'],
    [
      'urn:ietf:params:oauth:grant-type:saml2-bearer',
      '"urn:ietf:params:oauth:grant-type:saml2-bearer"',
    ],
    ['Authorization_Code', 'got "Authorization_Code"'],
    [' refresh_token', 'got " refresh_token"'],
    ['code'.padEnd(1000), `got "${'code'.padEnd(100)}"`],
  ])(
    'behaviour 3.5: %j is named in the trace and the log line, and the response lists the supported ones',
    async (grant_type, words) => {
      const rejected = await createTestService().evaluate(tokenRequest({ grant_type }));
      const refusal = expectRefusal(rejected, 'grant_type_unsupported');
      expect(shortCause(refusal)).toContain(words);
      expect(refusal.description).toBe(
        `grant_type must be exactly one of ${GRANT_TYPES.join(', ')}`,
      );
    },
  );

  test('behaviour 3.5: an unknown value may be a secret and is not shown', async () => {
    const { refusal } = await createTestService().evaluate(tokenRequest({ grant_type: 'hunter2' }));
    expect(refusal && shortCause(refusal)).toBe('got an unknown grant_type');
  });
});
