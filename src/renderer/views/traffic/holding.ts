// Holding exchanges from this page: the rule that it follows, decisions, and the edits that fields make. The rule ends
// with the connection or when it is used up.

import type { HeldDetail, HoldRuleInput, ReleaseHeld } from '../../../control/schemas.ts';
import { jsonOrText, parseJsonObject } from '../../../json.ts';
import { headerOf } from '../../../oauth/fields.ts';
import { attempt } from '../../actions/sandbox.ts';
import { control } from '../../connection/control.ts';
import { queryOf } from '../../exchange/answer.ts';
import { notify, notifyFailure } from '../../ui/notify.tsx';
import { traffic } from './traffic-state.ts';

let following: AbortController | null = null;

export function stopHolding(): void {
  following?.abort();
  following = null;
  traffic.setState({ holding: null });
}

/** Replaces the rule of this page; what the former one holds is released. */
export async function startHolding(what: string, rule: HoldRuleInput): Promise<void> {
  stopHolding();
  const own = new AbortController();
  following = own;
  try {
    const events = await control.holds.start(rule, { signal: own.signal });
    if (following === own) traffic.setState({ holding: what });
    const follower = events[Symbol.asyncIterator]();
    while ((await follower.next()).done !== true) if (own.signal.aborted) return;
    if (following === own) stopHolding();
  } catch (error) {
    if (following !== own) return;
    stopHolding();
    notifyFailure('Nothing is held now.', error);
  }
}

export const release = (order: ReleaseHeld): Promise<boolean> =>
  attempt('The exchange was not released.', async () => {
    await control.holds.release(order);
  });

export const releaseAll = (): Promise<boolean> =>
  attempt('The exchanges were not released.', async () => {
    await control.holds.releaseAll();
    notify('All held exchanges released');
  });

export const answer = (number: number, reason: string): Promise<boolean> =>
  attempt('The error response was not sent.', async () => {
    await control.holds.answer({ number, reason });
  });

export const drop = (number: number): Promise<boolean> =>
  attempt('The exchange was not dropped.', async () => {
    await control.holds.drop({ number });
  });

/** A field that can be edited, as text. */
export interface EditRow {
  readonly name: string;
  readonly text: string;
}

type Edits = NonNullable<ReleaseHeld['request']>;

/** What changed between the rows, by name: a parameter may be repeated. @param json whether values are JSON */
export function editsBetween(
  before: readonly EditRow[],
  after: readonly EditRow[],
  json: boolean,
): Edits {
  const member = (name: string) =>
    json && name.startsWith('/') ? `/${name.replaceAll('~', '~0').replaceAll('/', '~1')}` : name;
  const textsIn = (rows: readonly EditRow[], name: string) =>
    rows.filter((row) => row.name === name).map(({ text }) => text);
  const names = new Set([...before, ...after].map(({ name }) => name));
  return [...names].flatMap((name) => {
    const [former, texts] = [textsIn(before, name), textsIn(after, name)];
    if (name === '' || JSON.stringify(former) === JSON.stringify(texts)) return [];
    const of = { member: member(name) };
    const removed = former
      .slice(texts.length > 0 ? 1 : 0)
      .map(() => ({ ...of, do: 'remove' as const }));
    const set = texts.map((text, index) => ({
      ...of,
      do: json || index === 0 ? ('set' as const) : ('add' as const),
      value: json ? jsonOrText(text) : text,
    }));
    return [...removed, ...set];
  });
}

const rowsOf = (members: Readonly<Record<string, unknown>>): EditRow[] =>
  Object.entries(members).map(([name, value]) => ({
    name,
    text: typeof value === 'string' ? value : JSON.stringify(value),
  }));

const rowsOfForm = (form: string): EditRow[] =>
  [...new URLSearchParams(form)].map(([name, text]) => ({ name, text }));

/** The rows to edit, and whether their values are JSON. */
interface Rows {
  readonly rows: readonly EditRow[];
  readonly json: boolean;
}

/** The fields of a held request: of its body, or without one of its query. */
export function requestRows({ exchange }: HeldDetail): Rows {
  const { body } = exchange.request;
  const members = parseJsonObject(body);
  if (members !== null) return { rows: rowsOf(members), json: true };
  return { rows: rowsOfForm(body || queryOf(exchange)), json: false };
}

/** The members of a held response, or its parameters if it redirects to the app. */
export function responseRows({ exchange: { response } }: HeldDetail): Rows {
  const members = parseJsonObject(response.body);
  if (members !== null) return { rows: rowsOf(members), json: true };
  const location = headerOf(response.headers, 'location') ?? '';
  // The redirect URI may have a query of its own before the fragment.
  const at = location.indexOf(location.includes('#') ? '#' : '?');
  return { rows: rowsOfForm(at < 0 ? '' : location.slice(at + 1)), json: false };
}

export const claimRows = ({ id_token_claims }: HeldDetail): readonly EditRow[] =>
  rowsOf(id_token_claims ?? {});
