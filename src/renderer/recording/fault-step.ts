// The fault a recorded request ran into, armed again for one request: the rule as it stands, or an answer
// like the one that came when the rule is gone.

import type { FaultDraft } from '../../control/fault-schemas.ts';
import type { ScenarioStep } from '../../scenario/schema.ts';
import type { Exchange } from '../../control/schemas.ts';
import { bodyText } from '../exchange/answer.ts';
import type { Sandbox } from './registered.ts';

/** Written by the server itself, whatever a rule says. */
const OF_THE_SERVER =
  /^(content-length|transfer-encoding|connection|keep-alive|date|grantbench-exchange)$/i;

function effectOf({ status, response }: Exchange): NonNullable<FaultDraft['effect']> {
  if (status === 0) return { kind: 'drop' };
  const headers = response.headers.filter(([name]) => !OF_THE_SERVER.test(name));
  return { kind: 'answer', status, headers, body: bodyText(response) };
}

export function faultStep(exchange: Exchange, { faults }: Sandbox): ScenarioStep {
  const rule = faults.find(({ id }) => id === exchange.fault?.id);
  if (rule === undefined) {
    const name = exchange.fault?.name ?? '';
    return { fault: { name, when: 'instead', times: 1, effect: effectOf(exchange) } };
  }
  const { name, when, match, delay_ms, effect } = rule;
  return { fault: { name, when, match, delay_ms, effect, times: 1 } };
}
