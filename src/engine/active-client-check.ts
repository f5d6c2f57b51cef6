// Client checks: the case that is active in this run of the server, what the app does meanwhile, and what that shows, which
// the workspace keeps. The misbehaviour is apart from the fault rules, is never saved, and ends by itself.

import type { CheckResult, ClientCheck } from '../control/schemas.ts';
import { type ClientCase, GOOD_CASE } from '../core/client-checks/case.ts';
import { CLIENT_CASES } from '../core/client-checks/cases.ts';
import { awaitsGoodLogin, isFault, verdictOf } from '../core/client-checks/verdict.ts';
import type { Login, Progress } from '../core/records/client-checks.ts';
import { OAuthError } from '../core/checks/errors.ts';
import { subOf } from '../core/model/credentials.ts';
import { DEVICE_CODE_GRANT } from '../core/records/enumerations.ts';
import { type CheckRecord, faultSchema } from '../core/records/schemas.ts';
import { type CapturedExchange, requesterOf } from '../server/capture.ts';
import { headerIn } from '../server/sender.ts';
import type { EngineParts } from './parts.ts';
import { type BackChannelLogout, isAccepted } from './back-channel-logout.ts';
import { namesClient } from './client-cases.ts';
import { secondsUntil, timeText } from './format.ts';
import { checkKey } from './workspace/saved-by-name.ts';

export const DEFAULT_LIMIT_SECONDS = 300;
/** A page that reloads, or loses its connection for a moment, keeps its case. */
export const GRACE_MS = 10_000;
const RULE_ID = 'client-check';

interface Sent {
  readonly exchange: number;
  /** When its response was sent, by the stopwatch in ms. */
  readonly at: number;
  readonly refresh_token: string | null;
  readonly retry_after_ms: number;
}

interface Active {
  readonly one: ClientCase;
  readonly client_id: string | null;
  readonly started_at: number;
  readonly after_exchange: number;
  /** By machine time, in ms since the epoch. */
  readonly ends_at: number;
  readonly timer: NodeJS.Timeout;
  /** Whether it ends with the connections that follow it. */
  readonly followed: boolean;
  sent: Sent | null;
  /** Requests whose response was the misbehaviour. */
  times_met: number;
  readonly seen: Set<Progress>;
  seen_exchange: number | null;
  shown: boolean | null;
  /** The logout tokens on their way; null before. */
  logout_tokens: Promise<void> | null;
  /** Whether the app answered the wrong logout token with 400 and accepted a valid one; null without an answer. */
  right_on_logout: boolean | null;
}

interface Start {
  readonly client_id: string | null;
  readonly seconds: number;
  readonly connection: AbortSignal | undefined;
}

/** The exchanges of a run of a case, which end with this run of the server. */
type ShownBy = Pick<CheckResult, 'reached_exchange' | 'seen_exchange'>;

export type ClientChecks = ReturnType<typeof createClientChecks>;

const USES: readonly (string | null)[] = ['api', 'userinfo', 'introspect'];

/** What a request of the app shows that it went on with. */
function progressOf({ evaluation, claimed }: CapturedExchange): readonly Progress[] {
  const endpoint = evaluation?.endpoint ?? null;
  const grant = evaluation?.grant_type ?? claimed?.grant_type ?? null;
  if (endpoint === 'authorize' || endpoint === 'par') return ['authorization'];
  if (USES.includes(endpoint)) return ['tokens'];
  if (grant === null) return [];
  if (grant === 'authorization_code' || grant === DEVICE_CODE_GRANT)
    return ['authorization', 'code'];
  return ['tokens'];
}

const refreshTokenOf = ({ request_body }: CapturedExchange): string | null =>
  new URLSearchParams(request_body.toString()).get('refresh_token');

const sentBy = (exchange: CapturedExchange): Sent => ({
  exchange: exchange.number,
  at: exchange.started + exchange.duration_ms,
  refresh_token: refreshTokenOf(exchange),
  retry_after_ms: Number(headerIn(exchange.response_headers, 'retry-after') ?? 0) * 1000,
});

/** A client may try again; beyond that, it does not stop. */
const MOST_TRIES = 3;

/** What another request that meets the same misbehaviour shows. */
function repetitionOf(
  exchange: CapturedExchange,
  { sent, times_met }: { readonly sent: Sent; readonly times_met: number },
): readonly Progress[] {
  const again = sent.refresh_token !== null && refreshTokenOf(exchange) === sent.refresh_token;
  const early = exchange.started - sent.at < sent.retry_after_ms;
  return [
    ...(again ? ['same_refresh_token' as const] : []),
    ...(early ? ['early_retry' as const] : []),
    ...(times_met > MOST_TRIES ? ['retry_loop' as const] : []),
  ];
}

const view = (check: Active): ClientCheck => ({
  case: check.one.id,
  title: check.one.title,
  client_id: check.client_id,
  started_at: timeText(check.started_at),
  after_exchange: check.after_exchange,
  seconds_left: secondsUntil(check.ends_at),
  reached_exchange: check.sent?.exchange ?? null,
  seen: [...check.seen],
  seen_exchange: check.seen_exchange,
  shown: check.shown,
});

function resultOf(one: ClientCase, record: CheckRecord, shownBy: ShownBy): CheckResult {
  const { client_id, ended_at } = record;
  const { result, why } = verdictOf(one, record);
  const { id, title, level, expected, section, advice } = one;
  const fault = isFault(one, result);
  const awaits_good_login = result === 'unclear' && awaitsGoodLogin(one, record);
  const about = { id, title, level, expected, client_id, result, why, fault, section, advice };
  const libraries = [...one.libraries];
  return { ...about, libraries, awaits_good_login, ...shownBy, ended_at };
}

/** The rules of a case, for one client where requests name it. */
const rulesOf = ({ id, title, rules }: ClientCase, client_id: string | null) =>
  rules.map((rule, index) => {
    const match = { ...rule.match, client_id: namesClient(rule) ? client_id : null };
    const name = `Client check: ${title}`;
    return faultSchema.parse({ ...rule, id: `${RULE_ID}.${id}.${index}`, name, match });
  });

function noteProgress(check: Active, exchange: CapturedExchange, shown: readonly Progress[]): void {
  for (const progress of shown) check.seen.add(progress);
  const { progress } = check.one;
  if (progress !== null && shown.includes(progress)) check.seen_exchange ??= exchange.number;
}

/** Takes in what the app sent while a case is active. @param changed whether its response was changed or replaced */
function observe(check: Active, exchange: CapturedExchange, changed: boolean): void {
  const { client_id } = requesterOf(exchange);
  if (check.client_id !== null && client_id !== null && client_id !== check.client_id) return;
  const { sent, one } = check;
  const isAffected =
    changed && (!one.needs_dpop || headerIn(exchange.request_headers, 'dpop') !== undefined);
  if (isAffected) check.times_met++;
  if (one.logout !== null) return;
  if (one.rules.length === 0) {
    check.sent ??= sentBy(exchange);
    noteProgress(check, exchange, progressOf(exchange));
  } else if (sent === null) {
    if (isAffected) check.sent = sentBy(exchange);
  } else {
    const repeated = isAffected ? repetitionOf(exchange, { sent, times_met: check.times_met }) : [];
    noteProgress(check, exchange, [...repeated, ...progressOf(exchange)]);
  }
}

/** A good login shows whether what failed before it failed because of the misbehaviour. */
function confirmedBy(good: CheckRecord, seen: ReadonlySet<Progress>, record: CheckRecord) {
  if (record.client_id !== good.client_id || record.good_after !== null) return record;
  const progress = CLIENT_CASES.find(({ id }) => id === record.case)?.progress ?? null;
  const isConclusive = good.login_tells && good.login !== 'unknown';
  return {
    ...record,
    good_after: isConclusive ? good.login === 'succeeded' : null,
    goes_on_when_good: progress === null ? null : seen.has(progress),
  };
}

/** Replaces the former run of the case and client; the oldest runs make room. */
function keepNewest(records: EngineParts['saved']['checks'], record: CheckRecord): void {
  records.remove(checkKey(record));
  while (!records.hasRoomFor(record)) {
    const oldest = records.first();
    if (oldest === undefined) return;
    records.remove(checkKey(oldest));
  }
  records.put(record);
}

/** The connections that follow the feed. @param onEmpty called when there has been none for GRACE_MS */
function createFollowers(onEmpty: () => void) {
  const open = new Set<AbortSignal>();
  let grace: NodeJS.Timeout | undefined;
  return {
    add: (connection: AbortSignal) => {
      if (connection.aborted || open.has(connection)) return;
      open.add(connection);
      clearTimeout(grace);
      connection.addEventListener('abort', () => {
        open.delete(connection);
        if (open.size === 0) grace = setTimeout(onEmpty, GRACE_MS).unref();
      });
    },
    include: (connection: AbortSignal | undefined) =>
      connection !== undefined && open.has(connection),
  };
}

/** The user and client of a login that received its tokens; null for any other request. */
function loginOf({ status, evaluation }: CapturedExchange) {
  const { lineage = null, client_id = null, grant_type = null } = evaluation ?? {};
  const isLogin = grant_type === 'authorization_code' || grant_type === DEVICE_CODE_GRANT;
  if (status !== 200 || !isLogin || lineage === null || client_id === null) return null;
  return { client_id, sub: subOf(lineage) };
}

/** Sends the wrong logout token of the case, then a valid one. */
async function sendLogoutTokens(
  check: Active,
  { client_id, sub }: { readonly client_id: string; readonly sub: string },
  { clients, send }: BackChannelLogout,
): Promise<void> {
  const client = clients().find((one) => one.client_id === client_id);
  if (client === undefined) return;
  const wrong = await send(client, sub, null, check.one.logout);
  if (wrong === null || wrong.problem !== null) return;
  const { status } = wrong.exchange;
  check.sent = sentBy(wrong.exchange);
  check.right_on_logout = false;
  if (isAccepted(status)) noteProgress(check, wrong.exchange, ['logout']);
  const valid = await send(client, sub, null, null);
  check.right_on_logout = status === 400 && isAccepted(valid?.exchange.status ?? 0);
}

/** A case of which nothing was seen yet. */
const unobserved = (one: ClientCase, client_id: string | null, followed: boolean) => ({
  one,
  client_id,
  followed,
  sent: null,
  times_met: 0,
  seen: new Set<Progress>(),
  seen_exchange: null,
  shown: null,
  logout_tokens: null,
  right_on_logout: null,
});

/** @param goodLogin how the client goes on in a good login @param now on the sandbox clock */
const recordOf = (
  { one, client_id, sent, seen_exchange, shown, right_on_logout }: Active,
  goodLogin: ReadonlySet<Progress> | undefined,
  { login, login_tells }: Pick<CheckRecord, 'login' | 'login_tells'>,
  now: number,
): CheckRecord => ({
  case: one.id,
  client_id,
  reached: sent !== null,
  went_on: seen_exchange !== null,
  login,
  login_tells,
  shown,
  good_after: right_on_logout,
  goes_on_when_good: one.progress === null ? null : (goodLogin?.has(one.progress) ?? null),
  ended_at: timeText(now),
});

export function createClientChecks(
  { service, exchanges, feed, keys, saved: { checks: records }, closing, onFault }: EngineParts,
  logout: BackChannelLogout,
) {
  const { misbehaviour, ports } = service;
  const exchangesOf = new WeakMap<CheckRecord, ShownBy>();
  /** How each client goes on in a good login. */
  const goodLogins = new Map<string | null, ReadonlySet<Progress>>();
  let active: Active | null = null;
  const isBusy = () => active !== null;

  const disarm = () => {
    if (active !== null) clearTimeout(active.timer);
    active = null;
    misbehaviour.replaceAll([]);
    feed.changed('client_check');
  };
  closing.addEventListener('abort', disarm);

  exchanges.onExchange((exchange) => {
    if (active === null || exchange.sent_by !== 'app') return;
    // Neither bytes that are not HTTP nor a failed handshake is a request of the login.
    if (exchange.method === '-') return;
    const { fault } = exchange;
    const isMisbehaviour = fault !== null && misbehaviour.get(fault.id)?.fault === fault;
    observe(active, exchange, isMisbehaviour);
    const { one, client_id } = active;
    const login = one.logout === null ? null : loginOf(exchange);
    if (login !== null && (client_id ?? login.client_id) === login.client_id) {
      active.logout_tokens ??= sendLogoutTokens(active, login, logout)
        .catch((error: unknown) => {
          // Without a key that can sign it, no token is sent.
          if (!(error instanceof OAuthError)) onFault(error);
        })
        .then(() => {
          feed.changed('client_check');
        });
    }
    feed.changed('client_check');
  });

  const resultOfRecord = (one: ClientCase, record: CheckRecord) =>
    resultOf(
      one,
      record,
      exchangesOf.get(record) ?? { reached_exchange: null, seen_exchange: null },
    );
  const confirm = (good: CheckRecord, seen: ReadonlySet<Progress>) => {
    if (good.login !== 'failed') goodLogins.set(good.client_id, seen);
    for (const record of records.list()) {
      const confirmed = confirmedBy(good, seen, record);
      if (confirmed === record) continue;
      const shownBy = exchangesOf.get(record);
      if (shownBy !== undefined) exchangesOf.set(confirmed, shownBy);
      records.put(confirmed);
    }
  };
  const end = (login: Login, login_tells: boolean) => {
    if (active === null) return null;
    const { one, client_id, sent, seen, seen_exchange } = active;
    const record = recordOf(
      active,
      goodLogins.get(client_id),
      { login, login_tells },
      ports.clock.now(),
    );
    exchangesOf.set(record, { reached_exchange: sent?.exchange ?? null, seen_exchange });
    disarm();
    if (one !== GOOD_CASE) keepNewest(records, record);
    // Without a request, an earlier session of the app may be all that was seen.
    else if (record.reached) confirm(record, new Set(seen));
    return resultOfRecord(one, record);
  };
  const endSilently = () => void end('unknown', false);
  const followers = createFollowers(() => {
    if (active?.followed === true) endSilently();
  });
  return {
    active: () => (active === null ? null : view(active)),
    /** @returns null while another case is active */
    start: async (one: ClientCase, { client_id, seconds, connection }: Start) => {
      if (isBusy()) return null;
      const followed = followers.include(connection);
      if (one.rotates_key) await keys.rotate(service.settings().signing_alg);
      // Another caller may have started one meanwhile.
      if (isBusy()) return null;
      active = {
        ...unobserved(one, client_id, followed),
        started_at: ports.clock.now(),
        after_exchange: exchanges.capture.last,
        ends_at: Date.now() + seconds * 1000,
        timer: setTimeout(endSilently, seconds * 1000).unref(),
      };
      misbehaviour.replaceAll(rulesOf(one, client_id));
      return view(active);
    },
    /** Takes note of a connection that follows the feed, until it is aborted. A case that is started over it ends with it. */
    follow: followers.add,
    /** @param shown whether the app shows the text of `look_for` @returns null when no case is active */
    look: (shown: boolean): ClientCheck | null => {
      if (active === null) return null;
      active.shown = shown;
      feed.changed('client_check');
      return view(active);
    },
    /** Waits for the logout tokens of the active case. */
    logoutTokensSent: async () => active?.logout_tokens ?? undefined,
    /** @returns null when no case is active */
    end,
    stop: disarm,
    results: (): readonly CheckResult[] => {
      const kept = records.list();
      return CLIENT_CASES.flatMap((one) =>
        kept
          .filter((record) => record.case === one.id)
          .map((record) => resultOfRecord(one, record)),
      );
    },
    clear: () => {
      records.replaceAll([]);
    },
  };
}
