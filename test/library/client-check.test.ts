// A client check in a test process: one login function runs every case.

import { AssertionError } from 'node:assert';
import { afterAll, beforeAll, describe, expect, it, onTestFinished, test } from 'vitest';
import { type Grantbench, startGrantbench } from '../../src/index.ts';
import { clientCases } from '../../src/library/client-cases.ts';

async function start(): Promise<Grantbench> {
  const bench = await startGrantbench({ settings: { profile: 'interop' } });
  onTestFinished(() => bench.close());
  return bench;
}

/** A login that redeems a code and refuses the given responses. */
const loginOf =
  (bench: Grantbench, refuses: (body: Record<string, unknown>) => boolean) => async () => {
    const { client_id, client_secret, redirect_uri } = bench.client;
    const { code } = await bench.issueCode({ scope: 'openid' });
    const grant = { grant_type: 'authorization_code', code, redirect_uri };
    const body = new URLSearchParams({ client_id, client_secret, ...grant });
    const response = await fetch(bench.tokenEndpoint, { method: 'POST', body });
    const tokens = (await response.json()) as Record<string, unknown>;
    if (refuses(tokens)) throw new Error('refused');
  };

it('reports what a login wrongly accepts, and throws on request', async () => {
  const bench = await start();
  const careless = loginOf(bench, () => false);
  expect(await bench.check('access-token-missing', careless)).toMatchObject({ result: 'accepted' });
  const failure = await bench
    .expectSafe('access-token-missing', careless)
    .catch((error: unknown) => error);
  expect(failure).toBeInstanceOf(AssertionError);
  expect(String(failure)).toMatch(
    /No access token \(access-token-missing\): The login succeeded\./,
  );
  expect((await bench.control.clientChecks.get()).active).toBeNull();
});

it('counts a refusal only after a successful login', async () => {
  const bench = await start();
  const careful = loginOf(bench, ({ access_token }) => access_token === undefined);
  expect(await bench.expectSafe('access-token-missing', careful)).toMatchObject({
    result: 'refused',
  });
  const refuser = loginOf(bench, () => true);
  expect(await bench.check('access-token-missing', refuser)).toMatchObject({ result: 'unclear' });
  await expect(bench.expectSafe('expires-in-absent', refuser)).rejects.toThrow(/Use a default/);
});

it('lists the cases, each with the behaviour of a correct client', async () => {
  const bench = await start();
  const cases = await bench.cases();
  expect(cases.length).toBeGreaterThan(50);
  expect(cases[0]).toMatchObject({ id: 'state-invalid', expected: 'refuse', level: 'must' });
});

// As Jest needs it: the tests are declared at once, before the sandbox starts.
describe('a test of each case, from one login', () => {
  let bench: Grantbench;
  beforeAll(async () => {
    bench = await startGrantbench({ settings: { profile: 'interop' } });
  });
  afterAll(() => bench.close());

  const careful = () =>
    loginOf(bench, ({ access_token, id_token, token_type }) => {
      const type = String(token_type).toLowerCase();
      return [access_token, id_token].includes(undefined) || type !== 'bearer';
    });

  test.each(clientCases.filter(({ group }) => group === 'token_response'))(
    '$title',
    async ({ id }) => {
      expect(await bench.expectSafe(id, careful())).toMatchObject({ id, fault: false });
    },
  );

  test('the cases are those that the sandbox lists', async () => {
    expect(await bench.cases()).toEqual(clientCases);
  });
});
