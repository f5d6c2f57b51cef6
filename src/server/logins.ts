// Which exchanges belong to one login (behaviour 3.14): a login begins with an authorization request, a pushed one or a
// device's, or with credentials that were issued without one, and includes all that is requested with them.

import { createBoundedMap } from '../core/collections/bounded-map.ts';
import type { Evaluation } from '../core/checks/trace.ts';
import { textBytes } from '../core/collections/weight.ts';
import { lineageId } from '../core/model/credentials.ts';
import { fieldsIn, fieldsOf, splitTarget } from './claimed-client.ts';
import { headerIn } from './sender.ts';

/** What belongs to a login: its lineage, forms, references and credentials. The oldest are forgotten. */
export const LOGIN_BOUNDS = { entries: 10_000, bytes: 2_000_000 } as const;

/** An entry of the map, without its text. */
const MARK_BYTES = 100;

/** A request with its response. */
interface Answered {
  readonly number: number;
  /** Path and query as sent. */
  readonly target: string;
  readonly request_body: Buffer;
  readonly status: number;
  /** Names and values in turn. */
  readonly response_headers: readonly string[];
  readonly response_body: string;
  readonly evaluation: Pick<
    Evaluation,
    'client_id' | 'endpoint' | 'lineage' | 'access_token' | 'sign_in' | 'issued'
  > | null;
}

/** Returns a text that is no credential. */
function lineageIn({ evaluation }: Answered): string | null {
  if (evaluation === null) return null;
  const { lineage, access_token } = evaluation;
  const id = lineage === null ? access_token?.lineage : lineageId(lineage);
  return id === undefined ? null : `lineage ${id}`;
}

/** Names the session of the browser at the client of an authorization or a logout; null without one. */
function sessionIn({ target, evaluation }: Answered): string | null {
  if (evaluation === null) return null;
  const { endpoint, lineage, client_id } = evaluation;
  const sid =
    endpoint === 'authorize'
      ? (lineage?.openid?.sid ?? null)
      : endpoint === 'logout'
        ? sidHinted(target)
        : null;
  return sid === null ? null : `session ${client_id ?? ''} ${sid}`;
}

/** The sid in the id_token_hint of a logout. */
function sidHinted(target: string): string | null {
  const hint = fieldsOf(splitTarget(target)[1])('id_token_hint') ?? '';
  return memberIn(Buffer.from(hint.split('.')[1] ?? '', 'base64url').toString(), 'sid');
}

/** Whether it continues the newest login of its session: a silent renewal or a logout. Others begin a login. */
const continuesSession = ({ target, evaluation }: Answered): boolean =>
  evaluation?.endpoint === 'logout' || /[?&]prompt=none(?:&|$)/.test(target);

const PRESENTED = [
  'request_uri',
  'user_code',
  'grantbench_form',
  'device_code',
  'code',
  'refresh_token',
];

/** Users may type a user code without its hyphen, and in lower case. */
const written = (name: string, value: string): string =>
  name === 'user_code' ? value.toUpperCase().replace(/[^A-Z0-9]/g, '') : value;

/** What the request presents, in its query or its body. */
function presentedIn({ target, request_body }: Answered): string[] {
  const inQuery = fieldsOf(splitTarget(target)[1]);
  const inBody = fieldsIn(request_body);
  return PRESENTED.flatMap((name) => {
    const value = inBody(name) ?? inQuery(name);
    return value === null ? [] : [written(name, value)];
  });
}

/** What the response gives that later requests of the login present, besides the lineage. */
function givenBy({ status, evaluation, response_body, response_headers }: Answered): string[] {
  if (evaluation === null) return [];
  const { endpoint, sign_in, issued } = evaluation;
  // The page that is shown again after a wrong password has 403.
  if (status >= 400) return sign_in === null ? [] : [sign_in.form];
  if (endpoint === 'authorize') {
    const code = issued.some(({ kind }) => kind === 'code')
      ? codeIn(response_headers, response_body)
      : null;
    return [sign_in?.form ?? null, code].filter((one) => one !== null);
  }
  const given: string[] = [];
  for (const name of GIVEN[endpoint ?? ''] ?? []) {
    const value = memberIn(response_body, name);
    if (value !== null) given.push(written(name, value));
  }
  return given;
}

/** The members of responses that later requests present, by endpoint. */
const GIVEN: Readonly<Record<string, readonly string[]>> = {
  token: ['refresh_token'],
  par: ['request_uri'],
  device_authorization: ['device_code', 'user_code'],
};

/** Returns the text of a member, which has no escapes; null without it, or if a fault rule has cut it off. */
function memberIn(json: string, name: string): string | null {
  const start = json.indexOf(`"${name}":"`);
  if (start < 0) return null;
  const from = start + name.length + 4;
  const end = json.indexOf('"', from);
  return end < 0 ? null : json.slice(from, end);
}

/** A parameter of an authorization response: in a URL, in a form, or in the message of a page. */
const parameterIn = (name: string) =>
  new RegExp(`(?:[?&#]${name}=|name="${name}" value="|&quot;${name}&quot;:&quot;)([\\w.-]+)`);

const CODE = parameterIn('code');
const SIGNED = parameterIn('response');

/** Returns the code of an authorization response in any response mode; null without one. */
function codeIn(headers: readonly string[], body: string): string | null {
  const sent = headerIn(headers, 'location') ?? body;
  const [, code] = CODE.exec(sent) ?? [];
  if (code !== undefined) return code;
  const [, claims = ''] = SIGNED.exec(sent)?.[1]?.split('.') ?? [];
  return memberIn(Buffer.from(claims, 'base64url').toString(), 'code');
}

export function createLogins() {
  const known = createBoundedMap<string, number>(
    LOGIN_BOUNDS,
    (_, mark) => MARK_BYTES + textBytes(mark),
  );
  return {
    /** Returns the number of the exchange with which the login of this one began; null if it belongs to none. */
    of: (exchange: Answered): number | null => {
      const lineage = lineageIn(exchange);
      const given = givenBy(exchange);
      let login = lineage === null ? undefined : known.get(lineage);
      login ??= presentedIn(exchange)
        .map(known.get)
        .find((one) => one !== undefined);
      const session = sessionIn(exchange);
      if (session !== null && continuesSession(exchange)) login ??= known.get(session);
      if (lineage === null && given.length === 0) return login ?? null;
      login ??= exchange.number;
      for (const mark of [lineage, session, ...given].filter((one) => one !== null)) {
        if (known.get(mark) !== login) known.set(mark, login);
      }
      return login;
    },
    clear: known.clear,
  };
}
