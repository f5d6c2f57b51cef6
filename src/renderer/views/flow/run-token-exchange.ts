// The steps of a token exchange (RFC 8693): a token of the user, as another client could have handed it over, and the
// request that exchanges it.

import { tokenExchangeFields, tokenRequest } from '../../../oauth/token-request.ts';
import { control } from '../../connection/control.ts';
import { currentChoice } from './choice.ts';
import { withLaterStepsOpen, type StepOutcome } from './flow-state.ts';
import { changeFlow } from './flow-store.ts';
import { isRefused } from '../../exchange/answer.ts';
import { holdTokens, NO_CLIENT, outcomeOf, send } from './send-step.ts';

/** Issues the subject token over control, for this server, with the scope of the flow. */
export async function issueSubject(): Promise<StepOutcome> {
  const { client, user, authorize } = currentChoice();
  if (client === null) throw new Error(NO_CLIENT);
  const { client_id } = client;
  const { access_token } = await control.tokens.mint({
    client_id,
    ...(user === null ? {} : { sub: user.sub }),
    ...(authorize.scope === '' ? {} : { scope: authorize.scope }),
  });
  changeFlow((state) => ({
    ...withLaterStepsOpen(state, 'subject'),
    subject: { access_token, client_id },
    inputs: { ...state.inputs, subject_token: null },
  }));
  return { status: 'ok', badge: 'issued', text: `for ${user?.sub ?? 'the first user'}` };
}

export async function exchangeToken(): Promise<StepOutcome> {
  const fields = tokenExchangeFields(currentChoice().swap);
  const done = await send('swap', tokenRequest(fields));
  if (!isRefused(done)) changeFlow((state) => withLaterStepsOpen(state, 'swap'));
  holdTokens(done, 'swap');
  return outcomeOf(done);
}
