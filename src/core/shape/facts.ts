// The names that templates may reference, and where each is available: in claims, in token responses, in the bodies
// of errors.

import { instant } from '../checks/refusals/refusal.ts';
import type { Sha256 } from '../model/ports.ts';
import type { Client, User } from '../records/schemas.ts';

export type FactsContext = 'claims' | 'token_response' | 'device_response' | 'error';

/** The values that are known when a template is filled in; unknown ones are absent. */
export interface Facts {
  readonly sha256: Sha256;
  readonly issuer: string;
  /** The values that the shape defines. */
  readonly parameters: Readonly<Record<string, string>>;
  readonly user?: User | undefined;
  readonly client?: Client | undefined;
  /** The granted scope, separated by spaces. */
  readonly scope?: string | undefined;
  /** Audience of the access token. */
  readonly audience?: string | null | undefined;
  readonly grant_type?: string | null | undefined;
  /** Identifies the authorization; all tokens of it have the same value. */
  readonly lineage?: string | undefined;
  /** The session of the browser in which the user signed in, as in ID tokens and logout tokens; null without one. */
  readonly sid?: string | null | undefined;
  /** Whole seconds since the epoch, as in the token. */
  readonly iat?: number | undefined;
  readonly exp?: number | undefined;
  readonly auth_time?: number | undefined;
  readonly jti?: string | undefined;
  /** Seconds. */
  readonly expires_in?: number | undefined;
  readonly refresh_expires_in?: number | undefined;
  readonly user_code?: string | undefined;
  readonly verification_uri?: string | undefined;
  readonly error?: string | undefined;
  readonly error_description?: string | undefined;
  readonly exchange?: number | undefined;
  /** Milliseconds of the sandbox clock. */
  readonly now: number;
}

export type ReadFact = (facts: Facts) => unknown;

const UUID_BYTES = 16;

/** Returns a UUID derived from the text (RFC 9562 5.8), which is always the same for the same text. */
export function uuidOf(
  text: string | undefined,
  { sha256 }: Pick<Facts, 'sha256'>,
): string | undefined {
  if (text === undefined) return undefined;
  const digest = atob(sha256(text).replaceAll('-', '+').replaceAll('_', '/'));
  const bytes = Array.from({ length: UUID_BYTES }, (_, index) => digest.charCodeAt(index));
  bytes[6] = ((bytes[6] ?? 0) & 0x0f) | 0x80;
  bytes[8] = ((bytes[8] ?? 0) & 0x3f) | 0x80;
  const hex = bytes.map((byte) => byte.toString(16).padStart(2, '0')).join('');
  return hex.replace(/^(.{8})(.{4})(.{4})(.{4})/, '$1-$2-$3-$4-');
}

interface KnownFact {
  readonly read: ReadFact;
  readonly contexts: readonly FactsContext[];
  /** Description for the documentation. */
  readonly words: string;
}

const ISSUED: readonly FactsContext[] = ['claims', 'token_response'];
const ALL: readonly FactsContext[] = ['claims', 'token_response', 'device_response', 'error'];
const CLAIMS: readonly FactsContext[] = ['claims'];
const RESPONSE: readonly FactsContext[] = ['token_response'];
const DEVICE: readonly FactsContext[] = ['device_response'];
const ERROR: readonly FactsContext[] = ['error'];

const fact = (contexts: readonly FactsContext[], words: string, read: ReadFact): KnownFact => ({
  contexts,
  words,
  read,
});

/** Every name, in the order of the documentation. */
export const FACTS: Readonly<Record<string, KnownFact>> = {
  'user.sub': fact(ISSUED, 'Subject of the user.', ({ user }) => user?.sub),
  'user.name': fact(ISSUED, 'Display name of the user.', ({ user }) => user?.name),
  'user.email': fact(ISSUED, 'E-mail address of the user.', ({ user }) => user?.email),
  'user.groups': fact(ISSUED, 'Groups of the user, a list.', ({ user }) => user?.groups),
  'user.roles': fact(ISSUED, 'Roles of the user, a list.', ({ user }) => user?.roles),
  'user.uuid': fact(ISSUED, 'A UUID derived from the subject.', (facts) =>
    uuidOf(facts.user && `user ${facts.user.sub}`, facts),
  ),
  groups: fact(ISSUED, 'The same as user.groups.', ({ user }) => user?.groups),
  roles: fact(ISSUED, 'The same as user.roles.', ({ user }) => user?.roles),
  'client.client_id': fact(ISSUED, 'Identifier of the client.', ({ client }) => client?.client_id),
  'client.client_name': fact(
    ISSUED,
    'Display name of the client.',
    ({ client }) => client?.client_name,
  ),
  'client.uuid': fact(ISSUED, 'A UUID derived from the client_id.', (facts) =>
    uuidOf(facts.client && `client ${facts.client.client_id}`, facts),
  ),
  scope: fact(ISSUED, 'Granted scope, one string.', (facts) => facts.scope),
  scopes: fact(ISSUED, 'Granted scope, a list.', (facts) =>
    facts.scope?.split(' ').filter((scope) => scope !== ''),
  ),
  'request.grant_type': fact(ISSUED, 'Grant of the request.', (facts) => facts.grant_type),
  'request.audience': fact(ISSUED, 'Audience of the access token.', (facts) => facts.audience),
  'request.exchange': fact(ERROR, 'Number of the exchange.', (facts) => facts.exchange),
  'request.uuid': fact(ERROR, 'A UUID derived from the number of the exchange.', (facts) =>
    uuidOf(`exchange ${facts.exchange ?? ''} ${facts.now}`, facts),
  ),
  'token.iat': fact(CLAIMS, 'When the token was issued, in seconds.', (facts) => facts.iat),
  'token.exp': fact(CLAIMS, 'When the token expires, in seconds.', (facts) => facts.exp),
  'token.auth_time': fact(
    CLAIMS,
    'When the user signed in, in seconds; only in an ID token.',
    (facts) => facts.auth_time,
  ),
  'token.jti': fact(CLAIMS, 'Identifier of the token.', (facts) => facts.jti),
  'token.uuid': fact(CLAIMS, 'A UUID derived from the identifier of the token.', (facts) =>
    uuidOf(facts.jti && `token ${facts.jti}`, facts),
  ),
  'session.uuid': fact(
    ISSUED,
    'A UUID that all tokens of one browser session share, or else of one authorization.',
    (facts) => facts.sid ?? uuidOf(facts.lineage && `session ${facts.lineage}`, facts),
  ),
  expires_in: fact(
    RESPONSE,
    'Lifetime of the access token in seconds.',
    (facts) => facts.expires_in,
  ),
  'refresh.expires_in': fact(
    RESPONSE,
    'Seconds until the refresh token expires.',
    (facts) => facts.refresh_expires_in,
  ),
  'device.user_code': fact(DEVICE, 'The code that the user enters.', (facts) => facts.user_code),
  'device.verification_uri': fact(
    DEVICE,
    'The page on which the user enters it.',
    (facts) => facts.verification_uri,
  ),
  'error.code': fact(ERROR, 'The error code of RFC 6749.', (facts) => facts.error),
  'error.description': fact(
    ERROR,
    'The sentence that says what is wrong.',
    (facts) => facts.error_description,
  ),
  issuer: fact(ALL, 'The issuer identifier.', (facts) => facts.issuer),
  'time.iso': fact(ALL, 'The time as 2026-03-02T10:00:00Z.', ({ now }) => instant(now)),
  'time.text': fact(ALL, 'The time as 2026-03-02 10:00:00Z.', ({ now }) =>
    instant(now).replace('T', ' '),
  ),
  'time.seconds': fact(ALL, 'The time in whole seconds since 1970.', ({ now }) =>
    Math.floor(now / 1000),
  ),
};

const USER_CLAIM = 'user.claims.';
const PARAMETER = 'parameters.';

interface UnknownFact {
  readonly message: string;
}

const shown = (name: string) => (name.length > 100 ? `${name.slice(0, 100)}…` : name);

/** Returns the function that reads the value of a name, or why the name cannot be used here. */
export function readerOf(
  name: string,
  context: FactsContext,
  parameters: readonly string[],
): ReadFact | UnknownFact {
  const known = Object.hasOwn(FACTS, name) ? FACTS[name] : undefined;
  if (known !== undefined) {
    if (known.contexts.includes(context)) return known.read;
    return { message: `references ${name}, which is not available here` };
  }
  if (name.startsWith(PARAMETER) && parameters.includes(name.slice(PARAMETER.length))) {
    const parameter = name.slice(PARAMETER.length);
    return (facts) => facts.parameters[parameter];
  }
  if (name.startsWith(USER_CLAIM) && name.length > USER_CLAIM.length && ISSUED.includes(context)) {
    const claim = name.slice(USER_CLAIM.length);
    return ({ user }) =>
      user !== undefined && Object.hasOwn(user.claims, claim) ? user.claims[claim] : undefined;
  }
  return { message: `references "${shown(name)}", which does not exist` };
}
