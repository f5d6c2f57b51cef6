// Spec 5 and the row on client credentials in behaviour 1.

import { describe, expect, test } from 'vitest';
import { describeCause } from '../../src/core/checks/describe-cause.ts';
import {
  parseBasic,
  readAuthorization,
} from '../../src/core/client-authentication/authorization-header.ts';
import {
  basic,
  checkOf,
  client,
  createTestService,
  deviations,
  expectNotes,
  expectRefusal,
  PUBLIC,
  refreshRequest,
  tokenRequest,
  withCode,
} from '../support/core.ts';

const good = basic('demo-app', 'demo-secret');
const noBody = { client_id: undefined, client_secret: undefined };
const VERIFIER = 'v'.repeat(43);
const challenge = { code_challenge: VERIFIER, code_challenge_method: 'plain' } as const;

/** A request with an unknown code and this header only. */
const byHeader = (authorization: string) =>
  tokenRequest({ ...noBody, code: 'x' }, { authorization });

describe('behaviour 1.6: documented', () => {
  test.each([good, 'basic x', 'BASIC', 'Basic'])(
    'behaviour 1, spec 5.1 (documented): "%s" is invalid_client with a reason, whatever the body contains',
    async (authorization) => {
      const { send, answered } = await withCode();
      for (const parameters of [{}, noBody, { code: undefined }]) {
        const outcome = await send(parameters, { authorization });
        expectRefusal(outcome, 'basic_not_allowed');
        expect(outcome.refusal?.description).toBe(
          'client_id and client_secret must be sent in the body; HTTP Basic is not accepted here',
        );
      }
      answered(await send());
    },
  );

  test('behaviour 1 (documented): another scheme beside body credentials is ignored and noted', async () => {
    const { redeem } = createTestService();
    const authorization = 'Bearer something';
    expectNotes(await redeem({}, {}, { authorization }), 'authorization_header_ignored');
  });
});

test.each([
  [good, 'HTTP Basic beside client_secret'],
  ['Bearer something', 'another scheme'],
  ['', 'another scheme'],
  ['Digest x', 'another scheme'],
])(
  'spec 5.1, behaviour 1.6 (strict): the Authorization header "%s" is invalid_client',
  async (authorization, got) => {
    const { send, answered } = await withCode({ settings: { profile: 'strict' } });
    const refusal = expectRefusal(await send({}, { authorization }), 'header_not_allowed');
    expect(refusal.facts).toEqual({ got });
    answered(await send());
  },
);

test('behaviour 3: a refusal before authentication still names the registered client that the request is from', async () => {
  const { exchange } = createTestService();
  const members = { authorization: good };
  const known = await exchange('x', {}, members);
  const unknown = await exchange('x', { client_id: 'nobody' }, members);
  for (const outcome of [known, unknown]) expectRefusal(outcome, 'basic_not_allowed');
  expect(known.evaluation.client_id).toBe('demo-app');
  expect(unknown.evaluation.client_id).toBeNull();
});

describe('interop', () => {
  const interop = (members: Parameters<typeof client>[0] = {}) =>
    createTestService({ settings: { profile: 'interop' }, clients: [client(members)] });

  test('behaviour 1.6 (interop): Basic is accepted from a client registered for the body, and the mismatch is noted', async () => {
    const outcome = await interop().redeem({}, noBody, { authorization: good });
    expectNotes(outcome, 'basic_accepted', 'auth_method_mismatch: client_secret_basic');
  });

  test('behaviour 1.6 (interop): body fields are accepted from a client registered for Basic, and the mismatch is noted', async () => {
    const outcome = await interop({ token_endpoint_auth_method: 'client_secret_basic' }).redeem();
    expect(deviations(outcome)).toEqual(['auth_method_mismatch: client_secret_post']);
  });

  test.each([undefined, ''])(
    'behaviour 1, RFC 6749 3.2 (interop): the same client_id may accompany Basic, with a client_secret of %j',
    async (client_secret) => {
      const { answered, redeem } = interop();
      answered(await redeem({}, { client_secret }, { authorization: good }));
    },
  );

  test.each([
    [{}, 'two_client_authentications'],
    [{ client_id: undefined }, 'two_client_authentications'],
    [
      { client_id: 'admin', client_secret: undefined },
      'client_ids_differ',
      'client_id in the body is admin, expected demo-app',
    ],
  ] as const)(
    'behaviour 1.6 (interop): two methods or clients at once (%j) are invalid_request and consume nothing',
    async (parameters, reason, detail?) => {
      const { issueCode, exchange, answered } = interop();
      const code = (await issueCode()).value;
      const outcome = await exchange(code, parameters, { authorization: good });
      expectRefusal(outcome, reason, detail);
      answered(await exchange(code));
    },
  );

  test.each([
    ['Basic', 'basic_malformed'],
    ['Basic %%%', 'basic_malformed'],
    [`Basic ${Buffer.from('no colon').toString('base64')}`, 'basic_malformed'],
    [`Basic ${Buffer.from([0x64, 0x3a, 0xff]).toString('base64')}`, 'basic_malformed'],
    [basic('%', 'x'), 'client_unknown'],
    [basic('', 'x'), 'basic_malformed'],
    [basic('nobody', 'x'), 'client_unknown'],
    [basic('demo-app', ''), 'client_secret_missing'],
    [basic('demo-app', 'wrong'), 'client_secret_wrong'],
  ] as const)(
    'behaviour 1.6, behaviour 3 (interop): the header "%s" is invalid_client for %s',
    async (authorization, reason) => {
      const refusal = expectRefusal(await interop().evaluate(byHeader(authorization)), reason);
      expect(refusal.code).toBe('invalid_client');
    },
  );

  test('behaviour 1.6 (interop): malformed Basic credentials are invalid_client, even beside credentials in the body', async () => {
    const { send, answered } = await withCode({ settings: { profile: 'interop' } });
    const refusal = expectRefusal(
      await send({}, { authorization: 'Basic %%%' }),
      'basic_malformed',
    );
    expect(refusal.code).toBe('invalid_client');
    answered(await send());
  });

  test.each([
    ['a+b', 'c+d'],
    ['app', 'p%40ss+word='],
    ['app', '50%'],
    ['app', '%zz'],
    ['100%', 'secret'],
    ['app', '%ff%'],
  ])(
    'behaviour 1.6 (interop): unencoded Basic credentials %s:%s are tried as sent, accepted and noted',
    async (client_id, client_secret) => {
      const { redeem } = interop({
        client_id,
        client_secret,
        token_endpoint_auth_method: 'client_secret_basic',
      });
      const sent = { authorization: basic(client_id, client_secret) };
      const outcome = await redeem({ client_id }, noBody, sent);
      expect(outcome.evaluation.client_id).toBe(client_id);
      expectNotes(outcome, 'basic_accepted', 'basic_unencoded');
    },
  );

  test('behaviour 1.6 (interop): encoded credentials are decoded first, without a note', async () => {
    const { redeem } = interop({
      client_secret: 'c+d%',
      token_endpoint_auth_method: 'client_secret_basic',
    });
    const authorization = basic('demo-app', 'c%2Bd%25');
    const outcome = await redeem({}, noBody, { authorization });
    expect(deviations(outcome)).toEqual(['basic_accepted']);
  });

  test.each(['%41bc', '%4'])(
    'behaviour 1.6 (interop): the secret %s, wrong in both readings, is not noted as unencoded',
    async (secret) => {
      const outcome = await interop().evaluate(byHeader(basic('demo-app', secret)));
      expectRefusal(outcome, 'client_secret_wrong');
      expect(deviations(outcome)).toEqual(['basic_accepted']);
    },
  );

  test('behaviour 1.6: the client named in unencoded credentials determines the profile that reads them', async () => {
    const { redeem } = createTestService({
      clients: [client({ client_id: 'a+b', profile: 'interop' })],
    });
    const authorization = basic('a+b', 'demo-secret');
    expect((await redeem({ client_id: 'a+b' }, noBody, { authorization })).answer).not.toBeNull();
  });

  test('behaviour 3.4 (interop): a request without client authentication is 401 invalid_client', async () => {
    const { evaluate } = interop();
    const nothing = await evaluate(tokenRequest({ ...noBody, code: 'x' }));
    expectRefusal(nothing, 'client_authentication_missing');
    const half = await evaluate(tokenRequest({ client_id: undefined, code: 'x' }));
    expectRefusal(half, 'client_id_missing');
  });

  test.each(['documented', 'strict'] as const)(
    'spec 4.1.1, 5.1, behaviour 3.3, behaviour 3.4 (%s): client_id is required; missing or empty, it is invalid_request',
    async (profile) => {
      const { send, answered } = await withCode({ settings: { profile } });
      for (const parameters of [noBody, { client_id: undefined }, { client_id: '' }]) {
        const { description } = expectRefusal(await send(parameters), 'client_id_missing');
        expect(description).toBe('client_id is required and must not be empty');
      }
      answered(await send());
    },
  );

  test('behaviour 1.6, behaviour 1.7 (interop): a client without a secret is accepted with PKCE', async () => {
    const { issueCode, exchange } = interop(PUBLIC);
    const code = (await issueCode(challenge)).value;
    expectRefusal(await exchange(code, { client_secret: undefined }), 'code_verifier_missing');
    const outcome = await exchange(code, { client_secret: undefined, code_verifier: VERIFIER });
    expectNotes(outcome, 'public_client');
  });

  test('behaviour 1.7 (interop): a client without a secret cannot redeem a code issued without a challenge', async () => {
    const { service, issueCode, exchange } = interop();
    const code = (await issueCode()).value;
    service.registry.clients.put(client(PUBLIC));
    expectRefusal(await exchange(code, { client_secret: undefined }), 'challenge_required');
  });

  test('behaviour 1 (interop): a secret sent by a client without one is invalid_request', async () => {
    const { redeem } = interop(PUBLIC);
    expectRefusal(await redeem(challenge, { code_verifier: VERIFIER }), 'client_secret_unexpected');
  });

  test('RFC 6749 3.2 (interop): an empty client_secret of a client without one counts as absent', async () => {
    const { answered, redeem } = interop(PUBLIC);
    answered(await redeem(challenge, { client_secret: '', code_verifier: VERIFIER }));
  });

  test.each(['documented', 'strict'] as const)(
    'spec 4.1.2, spec 5.1 (%s): a client without a secret is invalid_client',
    async (profile) => {
      const { send } = await withCode(
        {
          settings: { profile },
          clients: [client(PUBLIC)],
        },
        challenge,
      );
      const none = await send({ client_secret: undefined, code_verifier: VERIFIER });
      expectRefusal(none, 'client_secret_required');
      const some = await send({ client_secret: 'x', code_verifier: VERIFIER });
      expectRefusal(some, 'client_has_no_secret');
    },
  );
});

describe('what a provider accepts', () => {
  type Lenience = 'basic_client_id_alone' | 'credentials_twice';
  /** A service with a shape that accepts this, as that of Okta or Keycloak does. */
  const accepting = (
    accepted: Lenience | readonly Lenience[],
    members: Parameters<typeof client>[0] = {},
  ) => {
    const made = createTestService({
      settings: { profile: 'interop' },
      clients: [client({ token_endpoint_auth_method: 'client_secret_basic', ...members })],
    });
    made.setShape({ accepts: [accepted].flat() });
    return made;
  };
  const alone = (id: string) => `Basic ${Buffer.from(id).toString('base64')}`;

  test('behaviour 12.21: a public client may send Basic with its client_id alone, which is noted', async () => {
    const { redeem } = accepting('basic_client_id_alone', PUBLIC);
    const parameters = { ...noBody, code_verifier: VERIFIER };
    const outcome = await redeem(challenge, parameters, { authorization: alone('demo-app') });
    expectNotes(outcome, 'basic_accepted', 'basic_client_id_alone', 'public_client');
  });

  test('behaviour 12.21: a client_id alone decides the profile, as in any other request', async () => {
    const { configure, answered, redeem } = accepting('basic_client_id_alone', {
      ...PUBLIC,
      profile: 'interop',
    });
    configure({ profile: 'documented' });
    const parameters = { ...noBody, code_verifier: VERIFIER };
    answered(await redeem(challenge, parameters, { authorization: alone('demo-app') }));
  });

  test.each([
    ['demo-app', 'client_secret_missing'],
    ['nobody', 'client_unknown'],
    ['', 'basic_malformed'],
    [':secret', 'basic_malformed'],
  ] as const)(
    'behaviour 12.21: a client_id alone proves nothing: "%s" is rejected for %s',
    async (id, reason) => {
      expectRefusal(await accepting('basic_client_id_alone').evaluate(byHeader(alone(id))), reason);
    },
  );

  test('behaviour 12.21: a client_id alone is malformed where only other things are accepted', async () => {
    const { evaluate } = accepting('credentials_twice', PUBLIC);
    expectRefusal(await evaluate(byHeader(alone('demo-app'))), 'basic_malformed');
  });

  test('behaviour 12.21: the same credentials may be in header and body, where that is accepted, which is noted', async () => {
    const outcome = await accepting('credentials_twice').redeem({}, {}, { authorization: good });
    expectNotes(outcome, 'basic_accepted', 'credentials_twice');
  });

  test.each([
    ['credentials_twice', { client_secret: 'other' }],
    ['credentials_twice', { client_id: 'other' }],
    ['credentials_twice', { client_id: undefined }],
    ['credentials_twice', { client_assertion: 'x' }],
    ['basic_client_id_alone', {}],
  ] as const)(
    'behaviour 12.21, behaviour 1.6: with %s, Basic and %j in the body are two methods',
    async (accepted, parameters) => {
      const { evaluate } = accepting(accepted);
      const outcome = await evaluate(
        tokenRequest({ code: 'x', ...parameters }, { authorization: good }),
      );
      expectRefusal(outcome, 'two_client_authentications');
    },
  );

  test('behaviour 12.21: a client_id alone beside the same client_id in the body is no second secret', async () => {
    const { redeem } = accepting(['basic_client_id_alone', 'credentials_twice'], PUBLIC);
    const parameters = { client_secret: undefined, code_verifier: VERIFIER };
    const outcome = await redeem(challenge, parameters, { authorization: alone('demo-app') });
    expectNotes(outcome, 'basic_accepted', 'basic_client_id_alone', 'public_client');
  });

  test('behaviour 12.21: a header that is not base64 is malformed, also where a client_id alone is accepted', async () => {
    const { evaluate } = accepting('basic_client_id_alone', PUBLIC);
    for (const authorization of ['Basic abcde', 'Basic %%%', 'Basic']) {
      expectRefusal(await evaluate(byHeader(authorization)), 'basic_malformed');
    }
  });

  test('behaviour 12.21: a client_id beside Basic is not a second method, and not noted', async () => {
    const { redeem } = accepting('credentials_twice');
    const parameters = { client_secret: undefined };
    expectNotes(await redeem({}, parameters, { authorization: good }), 'basic_accepted');
  });
});

test('behaviour 1.7: a client without a secret is not referred to a profile that rejects it for the same grant', async () => {
  const open = client({ ...PUBLIC, grant_types: ['client_credentials'] });
  const { evaluate } = createTestService({ clients: [open] });
  const parameters = { grant_type: 'client_credentials', client_secret: undefined };
  const outcome = await evaluate(refreshRequest(parameters));
  const refusal = expectRefusal(outcome, 'client_secret_required');
  expect(describeCause(refusal).accepted_by).toBeNull();
});

test('behaviour 3.4: an unregistered client is invalid_client, with the same response as for a wrong secret', async () => {
  const { evaluate, exchange } = createTestService();
  const unknown = await evaluate(tokenRequest({ client_id: 'nobody', code: 'x' }));
  const refusal = expectRefusal(unknown, 'client_unknown');
  expect(describeCause(refusal).detail).toContain('nobody');
  const wrong = await exchange('x', { client_secret: 'wrong' });
  expect(refusal.description).toBe(wrong.refusal?.description);
});

test('spec 5.1: the client_id is compared exactly', async () => {
  const { evaluate } = createTestService();
  for (const client_id of ['Demo-app', 'demo-app ', '__proto__', 'constructor', '\0']) {
    expectRefusal(await evaluate(tokenRequest({ client_id, code: 'x' })), 'client_unknown');
  }
});

test.each([
  ['a+b:c+d', { id: 'a b', secret: 'c d' }],
  ['a%2Bb:c%2bd', { id: 'a+b', secret: 'c+d' }],
  ['a%3Ab:c', { id: 'a:b', secret: 'c' }],
  ['a%20b+c:x:y%3Az', { id: 'a b c', secret: 'x:y:z' }],
  ['caf%C3%A9:é', { id: 'café', secret: 'é' }],
  ['a::', { id: 'a', secret: ':' }],
  ['a:%26%3D%25', { id: 'a', secret: '&=%' }],
  ['a:>>>???', { id: 'a', secret: '>>>???' }],
  ['a:\tb', { id: 'a', secret: '\tb' }],
  ['a:', { id: 'a', secret: '' }],
  ['a:50%', null],
  ['a:%zz', null],
  ['a:%ff', null],
  [':x', null],
] as const)(
  'behaviour 1.6, RFC 6749 2.3.1: "%s" in Basic credentials is decoded like a form',
  (text, expected) => {
    const encoded = Buffer.from(text).toString('base64');
    for (const header of [
      `Basic ${encoded}`,
      `bASIC   ${encoded} `,
      `Basic ${encoded.replaceAll('=', '')}`,
      `Basic ${Buffer.from(text).toString('base64url')}`,
    ]) {
      expect(parseBasic(header)).toEqual(expected);
    }
  },
);

test.each([
  'Basic YTpi!',
  'Basic !YTpi',
  'Basic YTpi\tYTpi',
  'Basic \tYTpi',
  'Basic',
  'Other YTpi',
  'Bearer abc',
])('RFC 7617 2: %j is not a Basic header', (header) => {
  expect(parseBasic(header)).toBeNull();
});

test.each([
  ['Basic abc', 'basic', 'abc'],
  ['BASIC   abc  ', 'basic', 'abc'],
  ['Digest a=b c', 'digest', 'a=b c'],
  ['Bearer', 'bearer', ''],
  ['Bearer ', 'bearer', ''],
  ['Bearer\tabc', 'bearer', ''],
  [' abc', '', 'abc'],
  ['', '', ''],
  [null, '', ''],
  [undefined, '', ''],
])(
  'RFC 9110 11.6.2: %j has the scheme "%s" and the credentials "%s"',
  (header, scheme, credentials) => {
    expect(readAuthorization(header)).toEqual({ scheme, credentials });
  },
);

test('behaviour 3: a required parameter must not be empty', async () => {
  const refusal = expectRefusal(await createTestService().exchange(''), 'parameter_empty');
  expect(refusal.facts.field).toBe('code');
});

test('behaviour 3: the trace says that a public client needs no secret, or how another client authenticated', async () => {
  const settings = { profile: 'interop' } as const;
  const open = createTestService({ settings, clients: [client(PUBLIC)] });
  const parameters = { client_secret: undefined, code_verifier: VERIFIER };
  expect(checkOf(await open.redeem(challenge, parameters), 'client_secret')).toMatchObject({
    verdict: 'passed',
    note: 'public client',
  });
  const outcome = await createTestService({ settings }).redeem({}, noBody, { authorization: good });
  expect(checkOf(outcome, 'authorization_header')).toMatchObject({
    verdict: 'passed',
    got: 'HTTP Basic',
  });
});
