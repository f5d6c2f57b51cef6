// Compares two logins request by request and member by member, without times and secrets. A value that is new in each login,
// such as a code or a state, is compared by where it comes from: the step of the login that first had it. Pure.

import type { Exchange } from '../../../control/schemas.ts';
import { isJsonObject, parseJsonObject, type JsonObject } from '../../../json.ts';
import { FORM_TYPE, headerOf, redirectParameters } from '../../../oauth/fields.ts';
import { asText } from '../../../oauth/claims.ts';
import { decodeJwt } from '../../../oauth/jwt.ts';
import { isSecretName } from '../../../redact/names.ts';
import { bodyText } from '../../exchange/answer.ts';
import { type Compared, differs } from '../../inspector/CompareTable.tsx';

/** A request that both logins made, or only one of them. */
export interface ComparedStep {
  /** From 1. */
  readonly number: number;
  /** `POST /oauth/token refresh_token` */
  readonly title: string;
  readonly first: Exchange | null;
  readonly second: Exchange | null;
  /** What both requests and responses consist of; empty if only one login made the request. */
  readonly values: readonly Compared[];
}

/** Members that say when something happened, or that follow from such members. */
const OF_TIME = [
  ...['iat', 'exp', 'nbf', 'auth_time', 'updated_at', 'client_id_issued_at', 'retry-after'],
  ...['jti', 'at_hash', 'c_hash', 's_hash', 'ath'],
];

/** Values that a client or the server creates for each login, although they are not secret. */
const NEW_EACH_TIME = [
  ...['state', 'nonce', 'code_challenge', 'request_uri', 'request', 'response', 'sid', 'jkt'],
  ...['dpop_jkt', 'verification_uri_complete', 'user_code', 'grantbench_form'],
];

/** Secrets that every login has, so that only the cause tells whether one is right. */
const OF_THE_CLIENT = ['client_secret', 'password'];

/** Headers that decide how a request is evaluated, or that a client reads. */
const REQUEST_HEADERS = ['authorization', 'content-type', 'dpop', 'origin', 'user-agent'] as const;
const RESPONSE_HEADERS = [
  'content-type',
  'www-authenticate',
  'access-control-allow-origin',
] as const;

const MOST_ENTRIES = 300;
const DEEPEST = 4;

/** The values of one login that were seen so far, with the number of the step that had each first. */
type Seen = Map<string, number>;

class Entries {
  readonly found = new Map<string, string>();
  readonly #seen: Seen;
  readonly #step: number;

  constructor(seen: Seen, step: number) {
    this.#seen = seen;
    this.#step = step;
  }

  plain(name: string, text: string | null): void {
    if (text !== null && this.found.size < MOST_ENTRIES) this.found.set(name, text);
  }

  /** Adds where the value comes from, and what it says if it is a JWT. */
  opaque(name: string, value: string): void {
    const from = this.#seen.get(value) ?? this.#step;
    this.#seen.set(value, from);
    if (value === '') this.plain(name, 'empty');
    else this.plain(name, from === this.#step ? 'a new value' : `the value of step ${from}`);
    const jwt = decodeJwt(value);
    if (jwt === null) return;
    const { alg, typ } = jwt.header;
    this.members(name, { alg, typ, ...jwt.payload });
  }

  members(at: string, members: JsonObject, depth = 1): void {
    for (const [own, value] of Object.entries(members)) {
      const name = `${at}.${own}`;
      if (value === undefined || OF_TIME.includes(own)) continue;
      if (isJsonObject(value) && depth < DEEPEST) this.members(name, value, depth + 1);
      else if (OF_THE_CLIENT.includes(own)) this.plain(name, 'sent');
      else if (typeof value === 'string' && isOpaque(own)) this.opaque(name, value);
      else this.plain(name, asText(value));
    }
  }

  /** A parameter that is sent several times is one list. */
  parameters(at: string, all: URLSearchParams): void {
    const names = [...new Set(all.keys())];
    this.members(
      at,
      Object.fromEntries(
        names.map((name) => {
          const values = all.getAll(name);
          return [name, values.length === 1 ? values[0] : values];
        }),
      ),
    );
  }
}

const isOpaque = (name: string): boolean => NEW_EACH_TIME.includes(name) || isSecretName(name);

const queryOf = ({ path }: Exchange) => new URLSearchParams(path.split('?', 2)[1] ?? '');

const typeOf = ({ headers }: Pick<Exchange['request'], 'headers'>) =>
  (headerOf(headers, 'content-type') ?? '').split(';', 1)[0]?.trim().toLowerCase() ?? '';

function addBody(to: Entries, at: string, part: Exchange['request'] | Exchange['response']): void {
  const text = bodyText(part);
  if (typeOf(part) === FORM_TYPE) to.parameters(at, new URLSearchParams(text));
  else to.members(at, parseJsonObject(text) ?? {});
}

/** Adds the scheme of an Authorization header, and where its token comes from; of Basic only the client_id is not secret. */
function addAuthorization(to: Entries, header: string): void {
  const [scheme = '', token = ''] = header.split(' ', 2);
  to.plain('request.authorization', scheme);
  if (token !== '' && scheme.toLowerCase() !== 'basic')
    to.opaque('request.authorization.token', token);
}

function addRequest(to: Entries, exchange: Exchange): void {
  const { request, client_id, sent_by } = exchange;
  to.plain('request.sent_by', sent_by);
  to.parameters('request', queryOf(exchange));
  addBody(to, 'request', request);
  if (!to.found.has('request.client_id')) to.plain('request.client_id', client_id);
  for (const name of REQUEST_HEADERS) {
    const header = headerOf(request.headers, name);
    if (header === null) continue;
    if (name === 'authorization') addAuthorization(to, header);
    else to.plain(`request.headers.${name}`, name === 'dpop' ? 'a proof' : header);
  }
}

function addResponse(to: Entries, exchange: Exchange): void {
  const { response, status, error, why, cause, fault, deviation_notes } = exchange;
  to.plain('response.status', status === 0 ? 'none' : String(status));
  to.plain('response.error', error);
  to.plain('cause', why?.summary ?? cause);
  to.plain('fault rule', fault === null ? null : fault.what);
  to.plain('profile', exchange.profile);
  for (const name of RESPONSE_HEADERS) {
    to.plain(`response.headers.${name}`, headerOf(response.headers, name));
  }
  const location = headerOf(response.headers, 'location');
  if (location !== null) {
    to.plain('response.location', location.split(/[?#]/, 1)[0] ?? '');
    to.parameters('response.location', redirectParameters(location));
  }
  addBody(to, 'response', response);
  // Advisories depend on earlier logins.
  const deviations = deviation_notes.map(({ id }) => id).join(', ');
  to.plain('deviations', deviations === '' ? null : deviations);
}

/** The values of an exchange by name. */
type Values = ReadonlyMap<string, string>;

function entriesOf(exchange: Exchange, seen: Seen, step: number): Values {
  const entries = new Entries(seen, step);
  addRequest(entries, exchange);
  addResponse(entries, exchange);
  return entries.found;
}

/** What kind of request it is: requests of the same kind can be compared. */
function titleOf(exchange: Exchange): string {
  const { method, path, request } = exchange;
  const text = bodyText(request);
  const grant =
    parseJsonObject(text)?.['grant_type'] ?? new URLSearchParams(text).get('grant_type');
  const [pathname = ''] = path.split('?', 1);
  return [method, pathname, ...(typeof grant === 'string' ? [grant] : [])].join(' ');
}

type Pair = readonly [Exchange | null, Exchange | null];

/** Returns both lists in one order, in which as many requests of the same kind as possible are pairs. */
function paired(first: readonly Exchange[], second: readonly Exchange[]): readonly Pair[] {
  const [titles, others] = [first.map(titleOf), second.map(titleOf)];
  const isSame = (a: number, b: number) => titles[a] === others[b];
  // The most pairs that the requests from a and b on can form.
  const most = Array.from({ length: first.length + 1 }, () =>
    Array.from({ length: second.length + 1 }, () => 0),
  );
  const at = (a: number, b: number) => most[a]?.[b] ?? 0;
  for (let a = first.length - 1; a >= 0; a -= 1) {
    const row = most[a] ?? [];
    for (let b = second.length - 1; b >= 0; b -= 1) {
      row[b] = isSame(a, b) ? at(a + 1, b + 1) + 1 : Math.max(at(a + 1, b), at(a, b + 1));
    }
  }
  const pairs: Pair[] = [];
  let [a, b] = [0, 0];
  while (a < first.length || b < second.length) {
    const [one = null, other = null] = [first[a], second[b]];
    if (one !== null && other !== null && isSame(a, b)) {
      pairs.push([one, other]);
      a += 1;
      b += 1;
    } else if (other === null || (one !== null && at(a + 1, b) >= at(a, b + 1))) {
      pairs.push([one, null]);
      a += 1;
    } else {
      pairs.push([null, other]);
      b += 1;
    }
  }
  return pairs;
}

/** All values of both, except those within a token that only one of them has. */
function sideBySide(first: Values, second: Values): readonly Compared[] {
  const isWithin = (name: string) => {
    const token = name.slice(0, name.lastIndexOf('.'));
    return first.has(token) !== second.has(token);
  };
  return [...new Set([...first.keys(), ...second.keys()])]
    .filter((name) => !isWithin(name))
    .map((name) => ({
      name,
      first: first.get(name) ?? null,
      second: second.get(name) ?? null,
    }));
}

/** @param first those of a login, oldest first, with secrets @param second those of the other one */
export function compareLogins(
  first: readonly Exchange[],
  second: readonly Exchange[],
): readonly ComparedStep[] {
  const seen: readonly [Seen, Seen] = [new Map(), new Map()];
  return paired(first, second).map(([one, other], index) => {
    const number = index + 1;
    const ours = one === null ? null : entriesOf(one, seen[0], number);
    const theirs = other === null ? null : entriesOf(other, seen[1], number);
    return {
      number,
      title: titleOf((one ?? other) as Exchange),
      first: one,
      second: other,
      values: ours === null || theirs === null ? [] : sideBySide(ours, theirs),
    };
  });
}

export const differencesOf = ({ values }: ComparedStep): number => values.filter(differs).length;
