// Behaviour 3, order of evaluation: of two mistakes in one request, the earlier check is reported.

import { describe, expect, test } from 'vitest';
import { describeChecks } from '../../src/core/checks/describe-checks.ts';
import type { RefusalReason } from '../../src/core/checks/refusals/index.ts';
import type { GrantType } from '../../src/core/records/schemas.ts';
import { createAuthorizationBench } from '../support/authorization.ts';
import type { TestService } from '../support/core.ts';
import {
  admin,
  BILLING,
  client,
  createTestService,
  expectRefusal,
  refreshRequest,
  signedIn,
  tokenRequest,
} from '../support/core.ts';

/** A request before validation, and a service that has issued its credential. */
interface Attempt {
  readonly bench: TestService;
  readonly grant: GrantType;
  readonly parameters: Record<string, string | undefined>;
  content_type: 'json' | 'form';
  query: string[];
  authorization: string | null;
}

interface Fault {
  readonly step: number;
  readonly reason: RefusalReason;
  readonly commit: (attempt: Attempt) => unknown;
}

const fault = (step: number, reason: RefusalReason, commit: Fault['commit']): Fault => ({
  step,
  reason,
  commit,
});

const sending =
  (name: string, value: string | undefined): Fault['commit'] =>
  ({ parameters }) => {
    parameters[name] = value;
  };

const send = ({ bench, grant, parameters, ...members }: Attempt) =>
  bench.evaluate((grant === 'refresh_token' ? refreshRequest : tokenRequest)(parameters, members));

/** Uses up the limit with requests that fail as early as possible after counting. */
const useUpLimit: Fault['commit'] = async (attempt) => {
  attempt.bench.configure({ profile: 'strict', throttle: { limit: 1 } });
  const harmless = { scope: '"', redirect_uri: 'http://elsewhere.example/' };
  await send({ ...attempt, parameters: { ...attempt.parameters, ...harmless } });
};

const COMMON: readonly Fault[] = [
  fault(4, 'grant_type_missing', sending('grant_type', undefined)),
  fault(4, 'grant_type_unsupported', sending('grant_type', 'urn:example:grant')),
  fault(5, 'content_type_not_documented', (attempt) => {
    attempt.content_type = attempt.grant === 'refresh_token' ? 'json' : 'form';
  }),
  fault(5, 'query_credentials', ({ query }) => void query.push('client_secret')),
  fault(6, 'header_not_allowed', (attempt) => {
    attempt.authorization = 'Basic x';
  }),
  fault(6, 'client_id_missing', sending('client_id', undefined)),
  fault(6, 'client_unknown', sending('client_id', 'nobody')),
  fault(6, 'client_secret_missing', sending('client_secret', '')),
  fault(6, 'client_secret_wrong', sending('client_secret', 'wrong')),
  fault(7, 'grant_not_allowed', ({ bench }) => {
    bench.service.registry.clients.put(client({ grant_types: [] }));
    bench.service.registry.clients.put(admin({ grant_types: [] }));
  }),
];

const BY_ANOTHER_CLIENT: Fault['commit'] = ({ parameters }) => {
  parameters['client_id'] = 'admin';
  parameters['client_secret'] = 'admin-secret';
};

const OF_CODE: readonly Fault[] = [
  ...COMMON,
  fault(8, 'parameter_missing', sending('redirect_uri', undefined)),
  fault(9, 'throttled', useUpLimit),
  fault(10, 'code_unknown', sending('code', 'unknown')),
  fault(10, 'code_of_other_client', BY_ANOTHER_CLIENT),
  fault(10, 'code_expired', ({ bench }) => bench.advance(600)),
  fault(11, 'redirect_uri_differs', sending('redirect_uri', 'http://localhost:3000/')),
  fault(11, 'code_verifier_unexpected', sending('code_verifier', 'v'.repeat(43))),
  fault(12, 'audience_unknown', sending('audience', 'https://nowhere.example/')),
  fault(12, 'scope_unknown', sending('audience', BILLING)),
];

const OF_REFRESH: readonly Fault[] = [
  ...COMMON,
  fault(8, 'parameter_missing', sending('refresh_token', undefined)),
  fault(9, 'throttled', useUpLimit),
  fault(10, 'refresh_token_unknown', sending('refresh_token', 'unknown')),
  fault(10, 'refresh_token_of_other_client', BY_ANOTHER_CLIENT),
  fault(10, 'refresh_token_expired', ({ bench }) => bench.advance(2_592_000)),
  fault(12, 'scope_beyond_grant', sending('scope', 'orders:write')),
];

async function attemptOf(grant: GrantType): Promise<Attempt> {
  const bench = createTestService({ settings: { profile: 'strict' } });
  const code = await bench.issueCode({ scope: 'orders:read' });
  const parameters: Attempt['parameters'] = {};
  const refresh = grant === 'refresh_token';
  if (refresh) {
    const { refresh_token } = bench.answered(await bench.exchange(code.value));
    parameters['refresh_token'] = refresh_token;
  } else parameters['code'] = code.value;
  const content_type = refresh ? 'form' : 'json';
  return { bench, grant, parameters, content_type, query: [], authorization: null };
}

describe.each([
  ['authorization_code', OF_CODE],
  ['refresh_token', OF_REFRESH],
] as const)('%s', (grant, faults) => {
  test('behaviour 3: the request without mistakes is accepted', async () => {
    expect((await send(await attemptOf(grant))).answer).not.toBeNull();
  });

  test.each(faults)('behaviour 3 order $step: $reason alone is reported', async (only) => {
    const attempt = await attemptOf(grant);
    await only.commit(attempt);
    expect((await send(attempt)).refusal?.reason).toBe(only.reason);
  });

  // The later mistake is made first, so that the earlier one wins when both change the same parameter.
  test.each(faults.slice(0, -1))(
    'behaviour 3.2, 4.6: $step before the later ones: $reason is reported beside any later mistake, and nothing is consumed',
    async (early) => {
      for (const late of faults.slice(faults.indexOf(early) + 1)) {
        const attempt = await attemptOf(grant);
        const { stores } = attempt.bench;
        const before = await stores.list(100, Number.POSITIVE_INFINITY);
        await late.commit(attempt);
        await early.commit(attempt);
        const { refusal } = await send(attempt);
        expect(refusal?.reason, `with ${late.reason}`).toBe(early.reason);
        const after = await stores.list(100, Number.POSITIVE_INFINITY);
        const consumed = after.filter(({ state }) => state === 'redeemed' || state === 'rotated');
        expect(after).toHaveLength(before.length);
        expect(consumed).toHaveLength(grant === 'refresh_token' ? 1 : 0);
        expect(after.every(({ lineage }) => lineage.revoked_at === null)).toBe(true);
      }
    },
  );
});

test('behaviour 3 order 10 before 11: a redeemed code is reported before a redirect_uri that differs', async () => {
  const { code, exchange } = await signedIn();
  expectRefusal(await exchange(code.value, { redirect_uri: 'http://localhost/' }), 'code_redeemed');
});

test('behaviour 3.11: the trace of an authorization request lists PKCE before the DPoP key, the order of validation', async () => {
  // `evaluated` asserts the order of checks in each trace.
  const bench = createAuthorizationBench({ settings: { profile: 'interop' } });
  const challenge = 'c'.repeat(43);
  const asked = { code_challenge: challenge, code_challenge_method: 'S256', dpop_jkt: challenge };
  const { evaluation } = await bench.ask(asked);
  const listed = describeChecks(evaluation, false).map(({ id }) => id);
  expect(listed.filter((id) => id === 'pkce' || id === 'dpop_key')).toEqual(['pkce', 'dpop_key']);
});
