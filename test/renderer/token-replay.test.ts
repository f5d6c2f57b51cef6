// A code or refresh token that the Tokens view sends again: its forecast agrees with core's and with the outcome.

import { beforeEach, describe, expect, test } from 'vitest';
import type { ControlClient } from '../../src/control/contract.ts';
import type { Client, Credential, Exchange } from '../../src/control/schemas.ts';
import {
  forecastInWords,
  isAsExpected,
  replayObstacle,
  replayStep,
  replayToEvaluate,
  revokesLineage,
} from '../../src/renderer/views/tokens/token-replay.ts';
import type { Run } from '../../src/scenario/actions/action.ts';
import { performStep } from '../../src/scenario/actions/index.ts';
import { createRun } from '../../src/scenario/runner/create-run.ts';
import { sendOverControl } from '../../src/scenario/runner/over-control.ts';
import { CREDENTIALS, startHarness, type Harness } from '../support/harness.ts';

let at: Harness;
let control: ControlClient;
beforeEach(async () => {
  at = await startHarness();
  control = await at.connect();
});

const settings = (patch: object) => at.patch('/settings', patch);
const find = async (kind: Credential['kind']): Promise<Credential> => {
  const { items } = await control.tokens.list({ kind });
  const [credential] = items;
  if (credential === undefined) throw new Error(`There is no ${kind}.`);
  return credential;
};

async function open(): Promise<{ readonly client: Client; readonly run: Run }> {
  const { clients } = await control.workspace.get();
  const { issuer } = await control.server.get();
  const client = clients.find(({ client_id }) => client_id === CREDENTIALS.client_id);
  if (client === undefined) throw new Error('There is no demo client.');
  const send = sendOverControl(control, 'workbench');
  const close = () => Promise.resolve();
  return { client, run: createRun({ control, issuer, clients, users: [], send, close }) };
}

/** Asks core for its forecast, sends the credential, and compares the two. */
async function replayed(credential: Credential) {
  const { client, run } = await open();
  const forecast = await control.requests.evaluate(replayToEvaluate(credential, client, run));
  const revoked = async () =>
    (await control.lineages.get({ id: credential.lineage_id })).revoked_at;
  const before = await revoked();
  const { value } = await control.tokens.get({ id: credential.id, secrets: true });
  const answer = await performStep(replayStep(credential, value ?? '', client), run);
  const exchange = answer?.exchange as Exchange;
  expect(isAsExpected(exchange, forecast)).toBe(true);
  expect(revokesLineage(forecast)).toBe(before === null && (await revoked()) !== null);
  return forecastInWords(forecast);
}

describe('behaviour 17.1: the Tokens view forecasts the response to a replay', () => {
  test('an unused code is redeemed for tokens', async () => {
    await at.code();
    expect(await replayed(await find('code'))).toBe(
      '200 with an access token and a refresh token. Code 1.1 is redeemed.',
    );
  });

  test('a code with a challenge is rejected: only the app has the verifier', async () => {
    await at.code({ code_challenge: 'E9Melhoa2OwvFrEMTJguCHaoeK1t8URWbuGJSstw-cM' });
    expect(await replayed(await find('code'))).toMatch(
      /^400 invalid_grant \(RFC [\d .]+\)\. .*code_verifier/,
    );
  });

  test('RFC 6749 4.1.2: a used code revokes its lineage, once', async () => {
    await at.signIn();
    const used = await find('code');
    expect(await replayed(used)).toBe(
      '400 invalid_grant (RFC 6749 4.1.2). The code was already used; its tokens are now revoked. Lineage 1 is revoked with all its credentials.',
    );
    expect(await replayed(used)).not.toContain('Lineage');
  });

  test.each(['expire', 'revoke'] as const)('a code after %s is rejected', async (end) => {
    await at.code();
    const { id } = await find('code');
    await control.tokens[end]({ id });
    expect(await replayed(await find('code'))).toMatch(
      /^400 invalid_grant \(RFC [\d .]+\)\. The code (has|was)/,
    );
  });

  test('a live refresh token returns tokens according to the rotation setting', async () => {
    await at.signIn();
    await settings({ refresh_rotation: { enabled: false } });
    expect(await replayed(await find('refresh_token'))).toBe('200 with an access token.');
    await settings({ refresh_rotation: { enabled: true } });
    expect(await replayed(await find('refresh_token'))).toBe(
      '200 with an access token and a refresh token. Refresh token 1.3 is replaced.',
    );
  });

  test('RFC 9700 4.14.2: a replaced refresh token revokes its lineage, outside its grace window', async () => {
    const { refresh_token } = await at.signIn();
    await settings({ refresh_rotation: { enabled: true, grace_seconds: 60 } });
    const first = await find('refresh_token');
    await at.token({ ...CREDENTIALS, grant_type: 'refresh_token', refresh_token });
    expect(await replayed(first)).toMatch(/^200 with/);
    await settings({ refresh_rotation: { grace_seconds: 0 } });
    expect(await replayed(first)).toMatch(/Lineage 1 is revoked with all its credentials\.$/);
  });

  test('in the auth0 dialect, and by a fault rule that answers first', async () => {
    await at.signIn();
    await settings({ dialect: 'auth0' });
    expect(await replayed(await find('code'))).toMatch(/^403 invalid_grant \(/);
    const effect = { kind: 'answer', status: 503 };
    await at.post('/faults', { id: 'busy', name: 'Busy', when: 'instead', effect });
    expect(await replayed(await find('code'))).toBe(
      'The fault rule “Busy” answers with 503 before the request is evaluated.',
    );
  });
});

test('a replay cannot be sent with an access token, without the client, or without its key', async () => {
  const { refresh_token } = await at.signIn();
  expect(refresh_token).not.toBe('');
  const { client } = await open();
  const signing: Client = { ...client, token_endpoint_auth_method: 'private_key_jwt' };
  const code = await find('code');
  expect(replayObstacle(code, client)).toBeNull();
  expect(replayObstacle(await find('access_token'), client)).toMatch(/access token/);
  expect(replayObstacle(code, null)).toMatch(/no longer registered/);
  expect(replayObstacle(code, signing)).toMatch(/key/);
});
