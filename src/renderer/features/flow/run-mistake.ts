// Sends a request that is wrong on purpose and judges whether the answer announced beforehand came.
// Codes spoilt on the way are issued for it and never held, so that the flow's own stay good.

import { problemOf } from '../../control.ts';
import { page } from '../../state.ts';
import { currentChoice } from './choice.ts';
import { withStep, withVerdict } from './flow-state.ts';
import { changeFlow, flow } from './flow-store.ts';
import { expectationOf, judge, type Material, type Mistake } from './mistake.ts';
import { exchangeFields, refreshFields, replaced, tokenRequest } from './requests.ts';
import {
  alone,
  ensureCode,
  ensureTokens,
  holdTokens,
  issueCode,
  outcomeOf,
  refused,
  send,
} from './run.ts';

export type BreakableStep = 'exchange' | 'refresh';

const NOBODYS_AUDIENCE = 'https://nobody.example/unregistered';
const SHORT_LIFE = { seconds: 1, wait_ms: 1200 };

const pause = (ms: number) => new Promise((done) => setTimeout(done, ms));

function otherAudience(): string {
  const named = flow.getState().code?.audience ?? null;
  const other = page.getState().audiences.find(({ uri }) => uri !== named);
  return (named === null ? undefined : other?.uri) ?? NOBODYS_AUDIENCE;
}

/** What the request is made of as things stand. */
export function materialOf(step: BreakableStep): Material {
  const { inputs, tokens } = flow.getState();
  const { client, exchange, refresh } = currentChoice();
  const { clients, clock } = page.getState();
  return {
    fields: step === 'exchange' ? exchangeFields(exchange) : refreshFields(refresh),
    format: step === 'exchange' ? inputs.exchange_format : inputs.refresh_format,
    other_client:
      clients.find(
        (other) => other.client_id !== client?.client_id && other.client_secret !== null,
      ) ?? null,
    other_audience: otherAudience(),
    access_token: tokens?.access_token ?? null,
    code: null,
    frozen: clock?.frozen ?? false,
  };
}

async function spoiltCode(mistake: Mistake): Promise<string | null> {
  const choice = currentChoice();
  if (mistake.prepare === 'let_expire') {
    const { code } = await issueCode(choice, { code_expires_in: SHORT_LIFE.seconds });
    await pause(SHORT_LIFE.wait_ms);
    return code;
  }
  if (mistake.prepare === 'redeem_first') {
    const { code, verifier } = await issueCode(choice);
    const fields = exchangeFields({ ...choice.exchange, code_verifier: verifier });
    await send('exchange', tokenRequest(replaced(fields, 'code', code), 'json'));
    return code;
  }
  return null;
}

async function makeMistake(step: BreakableStep, mistake: Mistake): Promise<void> {
  const ready = step === 'exchange' ? await ensureCode() : await ensureTokens();
  if (!ready) return;
  changeFlow((state) => withStep(state, step, { status: 'running', badge: null, text: null }));
  const { profile, dialect } = currentChoice();
  const expected = expectationOf(mistake, profile, dialect);
  const material = materialOf(step);
  const code = await spoiltCode(mistake);
  const exchange = await send(step, mistake.build({ ...material, code }));
  holdTokens(exchange, step);
  changeFlow((state) =>
    withVerdict(
      withStep(state, step, outcomeOf(exchange)),
      step,
      judge(mistake, expected, exchange),
    ),
  );
}

export const runMistake = (step: BreakableStep, mistake: Mistake): Promise<void> =>
  alone(step, () =>
    makeMistake(step, mistake).catch((error: unknown) =>
      changeFlow((state) => withStep(state, step, refused(problemOf(error).message))),
    ),
  );
