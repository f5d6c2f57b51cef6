// What the view does: it starts and ends cases, and says what their results mean.

import { useStore } from 'zustand';
import { createStore } from 'zustand/vanilla';
import type {
  CheckResult,
  ClientCase,
  ClientCheck,
  ExchangeSummary,
} from '../../../control/schemas.ts';
import { GOOD_LOGIN } from '../../../control/names.ts';
import { attempt, attemptConfirmed } from '../../actions/sandbox.ts';
import { control } from '../../connection/control.ts';
import type { ExchangeWindow } from '../../connection/exchange-window.ts';
import { change, page, withClientCheck } from '../../connection/state.ts';
import { navigate } from '../../navigation/route.ts';
import { confirm } from '../../ui/confirm.ts';
import { notify } from '../../ui/notify.tsx';
import { pluralize } from '../../../words.ts';
import type { Tone } from '../../ui/status.tsx';

type EndOfLogin = Parameters<typeof control.clientChecks.end>[0]['login'];
type Startable = Pick<ClientCase, 'id'> & Partial<Pick<ClientCase, 'shared'>>;

const chosen = createStore(() => ({
  /** The client to check; null for any. */
  client_id: null as string | null,
  /** How the last good login of this page ended, or that the app sent no request in it; null before. */
  good: null as EndOfLogin | 'not_reached' | null,
  /** The newest result that this page has recorded. */
  ended: null as CheckResult | null,
}));
type Chosen = ReturnType<typeof chosen.getState>;

export const useChosen = (): Chosen => useStore(chosen);
export const lastEnded = (): CheckResult | null => chosen.getState().ended;
export const chosenClient = (): string | null => chosen.getState().client_id;
export const chooseClient = (client_id: string | null): void =>
  chosen.setState({ client_id, good: null });

/** Clients other than the checked one that have sent requests: they would meet the misbehaviour too. */
function othersAffected({ shared }: Startable, client_id: string | null): string[] {
  const seen = new Set<string>();
  for (const { sent_by, client_id: sender } of page.getState().exchanges.chunks.flat())
    if (sent_by === 'app' && sender !== null) seen.add(sender);
  if (client_id === null) return seen.size > 1 ? [...seen] : [];
  seen.delete(client_id);
  return shared === true ? [...seen] : [];
}

function confirmShared(clients: readonly string[], client_id: string | null): Promise<boolean> {
  const names = clients.slice(0, 3).join(', ');
  const more = clients.length > 3 ? ` and ${clients.length - 3} more` : '';
  return confirm({
    title: 'Other clients use this sandbox',
    body:
      client_id === null
        ? `${names}${more} sent requests, and the misbehaviour affects them all until the case ends. Choose one client to check it alone.`
        : `${names}${more} sent requests too. This case changes responses to requests that name no client, so it affects them until it ends.`,
    confirm: 'Start anyway',
  });
}

/** Opens a case and starts it; asks first where other clients would meet it. */
export async function startCase(one: Startable): Promise<void> {
  const { client_id } = chosen.getState();
  const others = one.id === GOOD_LOGIN.id ? [] : othersAffected(one, client_id);
  if (others.length > 0 && !(await confirmShared(others, client_id))) return;
  // Before the response, so that whoever opens another case meanwhile stays there.
  await navigate('check', one.id);
  await attempt('The case was not started.', async () => {
    const active = await control.clientChecks.start({
      case: one.id,
      ...(client_id === null ? {} : { client_id }),
    });
    change((state) => withClientCheck(state, active, Date.now()));
  });
}

/** What a person says of a case: how the login ended, or whether the app shows the text of `look_for`. */
export type Answer = { readonly login: EndOfLogin } | { readonly shown: boolean };

export const endCase = (id: string, answer: Answer): Promise<boolean> =>
  attempt('The case was not ended.', async () => {
    const login = 'login' in answer ? answer.login : 'failed';
    if ('shown' in answer) await control.clientChecks.update(answer);
    const ended = await control.clientChecks.end({ login });
    chosen.setState({ ended });
    if (id === GOOD_LOGIN.id)
      chosen.setState({ good: ended.result === 'not_reached' ? 'not_reached' : login });
    change((state) => withClientCheck(state, null, Date.now()));
  });

/** Stops the active client check, whoever started it. */
export const stopCase = (): Promise<boolean> =>
  attempt('The case was not stopped.', async () => {
    await control.clientChecks.stop();
    change((state) => withClientCheck(state, null, Date.now()));
  });

export const deleteResults = (): Promise<boolean> => {
  const question = {
    title: 'Delete all results?',
    body: 'The results for every client are deleted. This cannot be undone.',
    confirm: 'Delete results',
  };
  return attemptConfirmed(question, 'The results were not deleted.', async () => {
    await control.clientChecks.clear();
    notify('All results are deleted');
  });
};

/** A case with its newest result for the chosen client. */
export interface CheckedCase extends ClientCase {
  readonly found: CheckResult | null;
}

interface Known {
  readonly cases: readonly ClientCase[];
  readonly results: readonly CheckResult[];
  /** The newest result that this page had recorded when it requested these. */
  readonly ended: CheckResult | null;
}

/** @param newest what this page has recorded: it may not be among the results yet, which are loaded once a second */
export const checkedCases = (
  { cases, results, ended }: Known,
  { client_id, ended: newest }: Pick<Chosen, 'client_id' | 'ended'>,
): readonly CheckedCase[] => {
  const all = newest === null || newest === ended ? results : [...results, newest];
  const own = new Map(
    all.filter((result) => result.client_id === client_id).map((result) => [result.id, result]),
  );
  return cases.map((one) => ({ ...one, found: own.get(one.id) ?? null }));
};

const FINE: readonly CheckResult['result'][] = ['passed', 'refused'];

/** The result as a label: a fault of the app is bad in a must, a warning in a should. */
export function resultLabel({ result, fault, level }: CheckResult): {
  readonly tone: Tone;
  readonly words: string;
} {
  const words = result.replaceAll('_', ' ');
  if (fault) return { tone: level === 'must' ? 'bad' : 'warn', words: `fault: ${words}` };
  const tone = FINE.includes(result) ? 'ok' : result === 'unclear' ? 'warn' : 'muted';
  return { tone, words };
}

/** What a correct app does: `must refuse it`. */
export const expectedInWords = ({
  level,
  expected,
}: Pick<ClientCase, 'level' | 'expected'>): string =>
  expected === 'either' ? 'may do either' : `${level} ${expected} it`;

/** `2 faults · 14 as expected · 1 unclear · 68 not run`, without what there is none of. */
export function totalsInWords(cases: readonly CheckedCase[]): string {
  const count = (wanted: (found: CheckResult | null) => boolean) =>
    cases.filter(({ found }) => wanted(found)).length;
  const faults = count((found) => found?.fault === true);
  const fine = count((found) => found !== null && !found.fault && resultLabel(found).tone === 'ok');
  const unclear = count((found) => found?.result === 'unclear');
  const unreached = count((found) => found?.result === 'not_reached');
  const left = count((found) => found === null);
  const parts = [
    faults > 0 && pluralize(faults, 'fault'),
    fine > 0 && `${fine} as expected`,
    unclear > 0 && `${unclear} unclear`,
    unreached > 0 && `${unreached} not reached`,
    left > 0 && `${left} not run`,
  ];
  return parts.filter((part) => part !== false).join(' · ');
}

/** The newest requests that the app has sent since the case started, newest first. */
export function sentSince(
  { chunks }: ExchangeWindow,
  { after_exchange, client_id: checked }: Pick<ClientCheck, 'after_exchange' | 'client_id'>,
  most: number,
): readonly ExchangeSummary[] {
  const sent: ExchangeSummary[] = [];
  for (const chunk of chunks.toReversed()) {
    for (const exchange of chunk.toReversed()) {
      if (exchange.number <= after_exchange || sent.length === most) return sent;
      const { client_id, sent_by } = exchange;
      const isOther = checked !== null && client_id !== null && client_id !== checked;
      if (sent_by === 'app' && !isOther) sent.push(exchange);
    }
  }
  return sent;
}
