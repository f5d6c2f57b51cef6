// The step of the password grant (RFC 6749 4.3): the client sends the name and the password of the user.

import { passwordFields, tokenRequest } from '../../../oauth/token-request.ts';
import { currentChoice } from './choice.ts';
import { withLaterStepsOpen, type StepOutcome } from './flow-state.ts';
import { changeFlow, flow } from './flow-store.ts';
import { isRefused } from '../../exchange/answer.ts';
import { holdTokens, NO_CLIENT, outcomeOf, refused, send } from './send-step.ts';

export async function sendPassword(): Promise<StepOutcome> {
  const { client, user, password } = currentChoice();
  if (client === null) throw new Error(NO_CLIENT);
  const isUnknown = user?.has_password === true && flow.getState().inputs.password === null;
  if (isUnknown) return refused(`${user.sub} has a password, which is not known here: enter it.`);
  const done = await send('password', tokenRequest(passwordFields(password)));
  if (!isRefused(done)) changeFlow((state) => withLaterStepsOpen(state, 'password'));
  holdTokens(done, 'password');
  return outcomeOf(done);
}
