// Compares two logins request by request and member by member, without times and secrets. A value that is new in each login,
// such as a code or a state, is compared by where it comes from: the step of the login that first had it. Pure.

import type { Exchange } from '../../../control/schemas.ts';
import { isJsonObject, parseJsonObject, type JsonObject } from '../../../json.ts';
import { FORM_TYPE, headerOf, redirectParameters } from '../../../oauth/fields.ts';
import { asText } from '../../../oauth/claims.ts';
import { decodeJwt } from '../../../oauth/jwt.ts';
import { isSecretName } from '../../../redact/names.ts';
import { bodyText, queryOf } from '../../exchange/answer.ts';
import type { Compared } from '../../inspector/CompareTable.tsx';

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

/** Members that say when something happened, that follow from other members, or that number a response. */
const LEFT_OUT = [
  'iat',
  'exp',
  'nbf',
  'auth_time',
  'updated_at',
  'client_id_issued_at',
  'timestamp',
  'jti',
  'at_hash',
  'c_hash',
  's_hash',
  'ath',
  'refresh_expires_in',
  'uti',
  'rh',
  'trace_id',
  'correlation_id',
  'error_description',
];

/** Values that a client or the server creates for each login, although they are not secret. */
const NEW_EACH_TIME = [
  'state',
  'nonce',
  'code_challenge',
  'request_uri',
  'request',
  'response',
  'sid',
  'jkt',
  'dpop_jkt',
  'verification_uri_complete',
  'user_code',
  'grantbench_form',
  'session_state',
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
      if (value !== undefined && !LEFT_OUT.includes(own))
        this.#member(`${at}.${own}`, own, value, depth);
    }
  }

  /** @param own the member's own name, which decides whether its value is a secret */
  #member(name: string, own: string, value: unknown, depth: number): void {
    const isList = Array.isArray(value) && (isOpaque(own) || value.some(isNested));
    if (OF_THE_CLIENT.includes(own)) this.plain(name, value === '' ? 'empty' : 'sent');
    else if (typeof value === 'string' && isOpaque(own)) this.opaque(name, value);
    else if (!isList && !isJsonObject(value)) this.plain(name, asText(value));
    else if (depth >= DEEPEST) this.plain(name, 'nested too deeply to compare');
    else if (isJsonObject(value)) this.members(name, value, depth + 1);
    else if (isList) {
      value.forEach((one, index) => this.#member(`${name}[${index}]`, own, one, depth + 1));
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

const isNested = (value: unknown): boolean => typeof value === 'object' && value !== null;

const typeOf = ({ headers }: Pick<Exchange['request'], 'headers'>) =>
  (headerOf(headers, 'content-type') ?? '').split(';', 1)[0]?.trim().toLowerCase() ?? '';

/** The parameters in a page that posts an authorization response to the app. */
function pageParameters(html: string): URLSearchParams {
  const inputs = [...html.matchAll(/<input type="hidden" name="([^"]*)" value="([^"]*)"/g)];
  const message = /data-message="([^"]*)"/.exec(html)?.[1]?.replaceAll('&quot;', '"');
  const posted = parseJsonObject(message ?? '') ?? {};
  const response = isJsonObject(posted['response']) ? posted['response'] : posted;
  return new URLSearchParams([
    ...inputs.map(([, name = '', value = '']): [string, string] => [name, value]),
    ...Object.entries(response).map(([name, value]): [string, string] => [name, String(value)]),
  ]);
}

function addBody(to: Entries, at: string, part: Exchange['request'] | Exchange['response']): void {
  const text = bodyText(part);
  const type = typeOf(part);
  if (type === FORM_TYPE) to.parameters(at, new URLSearchParams(text));
  else if (type === 'text/html') to.parameters(at, pageParameters(text));
  else if (decodeJwt(text) === null) to.members(at, parseJsonObject(text) ?? {});
  else to.opaque(`${at}.body`, text);
}

/** Adds the scheme of an Authorization header, and where its token comes from; of Basic only the client_id is not secret. */
function addAuthorization(to: Entries, header: string): void {
  const [scheme = '', token = ''] = header.split(' ', 2);
  // Without a token behind it, the first word may be a token without its scheme.
  if (token === '') {
    to.opaque('request.authorization', header);
    return;
  }
  to.plain('request.authorization', scheme);
  if (scheme.toLowerCase() !== 'basic') to.opaque('request.authorization.token', token);
}

function addRequest(to: Entries, exchange: Exchange): void {
  const { request, client_id, sent_by } = exchange;
  to.plain('request.sent_by', sent_by);
  to.parameters('request', new URLSearchParams(queryOf(exchange)));
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

/** All values of both, except those within a value that only one of them has. */
function sideBySide(first: Values, second: Values): readonly Compared[] {
  const names = [...new Set([...first.keys(), ...second.keys()])];
  const ofOne = names.filter((name) => first.has(name) !== second.has(name));
  const isWithin = (name: string) => ofOne.some((token) => name.startsWith(`${token}.`));
  return names
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
