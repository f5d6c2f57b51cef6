// Signs the assertion of the client for the user, and sends it (RFC 7523 2.1).

import {
  signAssertion,
  type AssertionKey,
  type AssertionOrder,
} from '../../../../oauth/assertion.ts';
import { createProofKey } from '../../../../oauth/dpop-proof.ts';
import { jwtBearerFields, tokenRequest } from '../../../../oauth/token-request.ts';
import { control } from '../../../connection/control.ts';
import { page } from '../../../connection/state.ts';
import { isRefused } from '../../../exchange/answer.ts';
import { currentChoice, type Choice } from '../choice.ts';
import { withLaterStepsOpen, type StepOutcome } from '../flow-state.ts';
import { changeFlow } from '../flow-store.ts';
import { holdTokens, NO_CLIENT, outcomeOf, send } from '../send-step.ts';
import { hasKey, pageKey } from './page-key.ts';

/** Who vouches for whom. @throws Error when one of them is missing */
function partiesOf({ client, user }: Choice) {
  if (client === null) throw new Error(NO_CLIENT);
  if (user === null) throw new Error('Add a user first: an assertion names one.');
  return { client, user };
}

const signerOf = async (key: AssertionKey, { other_key }: AssertionOrder): Promise<AssertionKey> =>
  other_key === true ? { ...key, sign: (await createProofKey()).sign } : key;

/** @throws Error when the client has not registered the key of this page */
export async function assertionFor(choice: Choice, order: AssertionOrder = {}): Promise<string> {
  const { client, user } = partiesOf(choice);
  const key = await pageKey();
  if (!hasKey(client, key)) {
    throw new Error(`${client.client_id} does not have the key of this page.`);
  }
  const { now } = await control.clock.get();
  const aud = page.getState().server?.issuer ?? '';
  const parties = { iss: client.client_id, sub: user.sub, aud };
  const seconds = Math.floor(Date.parse(now) / 1000);
  return signAssertion(await signerOf(key, order), parties, seconds, order);
}

export async function signForUser(): Promise<StepOutcome> {
  const choice = currentChoice();
  const { client, user } = partiesOf(choice);
  const assertion = await assertionFor(choice);
  const held = { assertion, client_id: client.client_id, sub: user.sub, spent: false };
  changeFlow((state) => ({
    ...withLaterStepsOpen(state, 'assertion'),
    assertion: held,
    inputs: { ...state.inputs, assertion: null },
  }));
  return { status: 'ok', badge: 'signed', text: `for ${user.sub}, as ${client.client_id}` };
}

export async function sendAssertion(): Promise<StepOutcome> {
  const done = await send('bearer', tokenRequest(jwtBearerFields(currentChoice().bearer)));
  if (!isRefused(done)) changeFlow((state) => withLaterStepsOpen(state, 'bearer'));
  holdTokens(done, 'bearer');
  return outcomeOf(done);
}
