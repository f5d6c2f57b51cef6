// Dynamic client registration (RFC 7591) and its management by the client (RFC 7592): who may, which metadata is stored,
// and the response. It imports the schemas, so it is loaded when a client first registers.

import { isJsonObject } from '../../json.ts';
import { readAuthorization } from '../client-authentication/authorization-header.ts';
import { OAuthError } from '../checks/errors.ts';
import { unknownClient } from '../checks/refusals/refusal.ts';
import { ENDPOINTS } from '../records/endpoints.ts';
import { parseLoopbackRedirect } from '../records/redirect-uri.ts';
import { RESPONSE_TYPES, type ResponseType, responseTypeNamed } from '../records/response-types.ts';
import { secondsOf } from '../model/clock.ts';
import type { Domain } from '../model/domain.ts';
import type { Random } from '../model/ports.ts';
import { IN_WORDS, type Issue, type Problem, problemsOf } from '../records/problems.ts';
import { authMethodsOf, PROFILE_RULES } from '../checks/profiles.ts';
import { describeDeviation } from '../checks/deviations.ts';
import { beyond, COMMON_SCOPES, parseScope, unknownScopes } from './scopes.ts';
import { type Client, clientSchema, type Profile } from '../records/schemas.ts';
import { encodeRandom } from '../issuing/random-text.ts';
import { type DeviationRecord, type Evaluation, note, pass } from '../checks/trace.ts';

type Registrar = Pick<Domain, 'registry' | 'ports' | 'settings' | 'shape' | 'base'>;
type Metadata = Readonly<Record<string, unknown>>;

export interface RegistrationRequest {
  readonly metadata: Metadata;
  /** The Authorization header as sent, or null. */
  readonly authorization: string | null;
}

/** The client information response (RFC 7591 3.2.1). */
interface RegisteredClient {
  readonly client_id: string;
  readonly client_secret?: string;
  /** Seconds since the epoch, by the sandbox clock. */
  readonly client_id_issued_at?: number;
  /** 0 for never; present if the client has a secret. */
  readonly client_secret_expires_at?: 0;
  /** The scopes that the client can request, separated by spaces. */
  readonly scope: string;
  /** Sentences that say what the profile does not support; not a member of RFC 7591. */
  readonly grantbench_warnings?: readonly string[];
  readonly registration_access_token: string;
  readonly registration_client_uri: string;
  readonly [member: string]: unknown;
}

/** The metadata that is stored from a request. The workspace decides the rest of a client record. */
export const STORED = [
  'client_name',
  'application_type',
  'redirect_uris',
  'post_logout_redirect_uris',
  'backchannel_logout_uri',
  'backchannel_logout_session_required',
  'grant_types',
  'token_endpoint_auth_method',
  'require_pushed_authorization_requests',
  'dpop_bound_access_tokens',
  'default_max_age',
  'require_auth_time',
  'jwks',
  'jwks_uri',
  'request_object_signing_alg',
  'require_signed_request_object',
  'authorization_signed_response_alg',
  'userinfo_signed_response_alg',
  'introspection_signed_response_alg',
] as const;

/** Metadata that is read but not stored as sent. */
const SUPPORTED: readonly string[] = [...STORED, 'response_types', 'scope'];

/** Names that a note about ignored metadata may show. Any other name may contain a secret. */
const SAFE_NAMES = new Set([
  ...Object.keys(clientSchema.shape),
  'client_uri',
  'contacts',
  'logo_uri',
  'policy_uri',
  'scope',
  'software_id',
  'software_statement',
  'software_version',
  'tos_uri',
  'id_token_signed_response_alg',
  'initiate_login_uri',
  'request_uris',
  'sector_identifier_uri',
  'subject_type',
  'token_endpoint_auth_signing_alg',
]);

/** Whether a client with this authentication method has a secret. Without a method, the default applies. */
const hasSecret = (method: string | undefined) => method !== 'none' && method !== 'private_key_jwt';

/** Adds a generated client_id and, if the client needs one, a generated secret to a draft without them. */
export function withCredentials(draft: Partial<Client>, random: Random): Partial<Client> {
  const { client_id = encodeRandom(random(15)), ...rest } = draft;
  if (rest.client_secret !== undefined || !hasSecret(rest.token_endpoint_auth_method)) {
    return { client_id, ...rest };
  }
  return { client_id, ...rest, client_secret: encodeRandom(random(32)) };
}

/**
 * Returns the members of a client with the standard grant_type of each grant that the imitated provider names otherwise.
 * @param names the standard grant_type by the provider's name
 */
export function withStandardGrants(
  members: Metadata,
  names: ReadonlyMap<unknown, string> | undefined,
): Metadata {
  const { grant_types } = members;
  if (!Array.isArray(grant_types) || !grant_types.some((name) => names?.has(name))) return members;
  const standard = grant_types.map((name: unknown) => names?.get(name) ?? name);
  return { ...members, grant_types: [...new Set(standard)] };
}

const MIB = 1024 * 1024;

/** @throws OAuthError `invalid_token` without the initial access token, if it is required */
function checkMayRegister(
  authorization: string | null,
  { settings, ports }: Registrar,
  evaluation: Evaluation,
): void {
  const { mode, token } = settings().registration;
  if (mode === 'open') {
    pass(evaluation, 'authorization_header', { note: 'anyone may register' });
    return;
  }
  const { scheme, credentials } = readAuthorization(authorization);
  if (scheme !== 'bearer' || credentials === '') throw new OAuthError('initial_token_missing');
  if (token === null || ports.sha256(credentials) !== ports.sha256(token)) {
    throw new OAuthError('initial_token_wrong');
  }
  pass(evaluation, 'authorization_header', { got: 'the initial access token' });
}

function noteIgnored(metadata: Metadata, evaluation: Evaluation): void {
  const ignored = Object.keys(metadata).filter((name) => !SUPPORTED.includes(name));
  if (ignored.length === 0) return;
  const names = ignored.map((name) => (SAFE_NAMES.has(name) ? name : 'another member'));
  note(evaluation, 'metadata_ignored', [...new Set(names)].join(', '));
}

/**
 * Returns a JWK Set without other members, which must be ignored (RFC 7517 5); null for one without keys, which
 * libraries send for a client that has none.
 */
function keysOf(jwks: unknown): unknown {
  if (!isJsonObject(jwks)) return jwks;
  const { keys } = jwks;
  return Array.isArray(keys) && keys.length === 0 ? null : { keys };
}

/** Returns the stored metadata of a request. A member that is null, or a JWK Set without keys, counts as absent. */
function storedFrom(metadata: Metadata): Partial<Client> {
  const given: Metadata = { ...metadata, jwks: keysOf(metadata['jwks']) };
  const stored = STORED.filter((name) => (given[name] ?? null) !== null);
  return Object.fromEntries(stored.map((name) => [name, given[name]]));
}

const isRedirectUri = ({ path }: Problem) => path.startsWith('redirect_uris');

/** The metadata may come from anyone: a rejection names the rule, and does not repeat what was sent. */
const withoutValue = (issue: Issue): Issue => ({
  ...issue,
  message: issue.params?.without_value ?? issue.message,
});

function reject(problem: Problem): never {
  const reason = isRedirectUri(problem) ? 'metadata_redirect_uri' : 'metadata_invalid';
  throw new OAuthError(reason, {
    field: problem.path || 'the metadata',
    expected: problem.message,
  });
}

function checkUnderstood(metadata: Metadata): void {
  const types: unknown = metadata['response_types'] ?? [];
  if (!Array.isArray(types) || types.some((type) => responseTypeFor(type) === undefined)) {
    const message = `must be an array that contains only ${RESPONSE_TYPES.join(', ')}`;
    reject({ path: 'response_types', message });
  }
}

/** Returns the response type in its usual spelling; undefined if it is not supported. */
const responseTypeFor = (type: unknown) =>
  typeof type === 'string' ? responseTypeNamed(type) : undefined;

/** The response types that the grants of a client allow (RFC 7591 2.1). */
const responseTypesOf = ({ grant_types }: Client): ResponseType[] =>
  RESPONSE_TYPES.filter(
    (type) =>
      (type === 'id_token' || grant_types.includes('authorization_code')) &&
      (type === 'code' || grant_types.includes('implicit')),
  );

/**
 * Returns the response types for the response: those in the request, or else all that the grants allow.
 * @throws OAuthError `invalid_client_metadata` for one that has an ID token without the grant implicit (RFC 7591 2.1)
 */
function readResponseTypes({ response_types }: Metadata, client: Client): readonly ResponseType[] {
  const allowed = responseTypesOf(client);
  if (!Array.isArray(response_types)) return allowed;
  const asked = RESPONSE_TYPES.filter((type) => response_types.map(responseTypeFor).includes(type));
  const beyond = asked.find((type) => type !== 'code' && !allowed.includes(type));
  if (beyond !== undefined) {
    const grants = beyond === 'id_token' ? 'implicit' : 'authorization_code and implicit';
    const message = `may contain ${beyond} only with the grant_types ${grants} (RFC 7591 2.1)`;
    reject({ path: 'response_types', message });
  }
  return asked.filter((type) => allowed.includes(type));
}

const REDIRECTING = ['authorization_code', 'implicit'] as const;

/** What a client does not send to change its registration (RFC 7592 2.2). */
const NOT_SENT = [
  'registration_access_token',
  'registration_client_uri',
  'client_id_issued_at',
  'client_secret_expires_at',
];

/** @throws OAuthError if the metadata names another client or secret (RFC 7592 2.2) */
function checkOfClient(metadata: Metadata, { client_id, client_secret }: Client): void {
  const { client_id: id, client_secret: secret = client_secret } = metadata;
  const wrong = (path: string, must: string) => reject({ path, message: `${must} (RFC 7592 2.2)` });
  if (id !== client_id) wrong('client_id', 'must be the client_id of the registration');
  if (secret !== client_secret) wrong('client_secret', 'must be the current one, or be omitted');
  for (const name of NOT_SENT) if (name in metadata) wrong(name, 'must be omitted');
}

/**
 * Returns the members that a client has besides its metadata: those that the workspace decides, and its secret if the
 * method needs one.
 */
function keptOf(former: Client, method: string | undefined): Partial<Client> {
  const kept = Object.entries(former).filter(
    ([name]) => name !== 'client_secret' && !STORED.some((stored) => stored === name),
  );
  const { client_secret } = former;
  return {
    ...(Object.fromEntries(kept) as Partial<Client>),
    ...(client_secret === null || !hasSecret(method) ? {} : { client_secret }),
  };
}

/**
 * Returns the client record for the metadata.
 * @param former the record that it replaces; null for a new client
 * @throws OAuthError naming the first member that breaks a rule
 */
function readClient(
  metadata: Metadata,
  former: Client | null,
  { ports, settings }: Registrar,
): Client {
  checkUnderstood(metadata);
  const stored = storedFrom(metadata);
  const own =
    former === null
      ? { registration_access_token: encodeRandom(ports.random(32)) }
      : keptOf(former, stored.token_endpoint_auth_method);
  const data = parseClient(withCredentials({ ...own, ...stored }, ports.random));
  if (settings().registration.https_redirect_uris === true) checkRedirectSchemes(data);
  return data;
}

/** @throws OAuthError naming the first member that breaks a rule */
function parseClient(draft: Partial<Client>): Client {
  const { success, data, error } = clientSchema.safeParse(draft, IN_WORDS);
  if (!success) {
    const problems = problemsOf(error.issues.map(withoutValue), draft);
    reject(
      problems.find(isRedirectUri) ?? problems[0] ?? { path: 'metadata', message: 'is not valid' },
    );
  }
  const redirecting = REDIRECTING.find((grant) => data.grant_types.includes(grant));
  if (redirecting !== undefined && data.redirect_uris.length === 0) {
    const message = `is required with the grant ${redirecting} (RFC 7591 2)`;
    reject({ path: 'redirect_uris', message });
  }
  return data;
}

/**
 * Returns the client of a client ID metadata document, or which rule the document breaks. It may not have a shared
 * secret. Unless it says otherwise, the client is native, so that the port of a loopback redirect URI may vary.
 * @param url where the document is
 */
export function clientOfDocument(
  metadata: Metadata,
  url: string,
): { readonly client: Client } | { readonly problem: string } {
  const { client_id, client_name, client_secret, token_endpoint_auth_method = 'none' } = metadata;
  try {
    if (client_id !== url)
      reject({ path: 'client_id', message: 'must be the URL of the document' });
    if (typeof client_name !== 'string' || client_name === '') {
      reject({ path: 'client_name', message: 'is required' });
    }
    if (client_secret !== undefined) {
      reject({ path: 'client_secret', message: 'must be omitted: the document is public' });
    }
    if (hasSecret(String(token_endpoint_auth_method))) {
      const message = 'must be none or private_key_jwt: the document is public';
      reject({ path: 'token_endpoint_auth_method', message });
    }
    checkUnderstood(metadata);
    const usual = { application_type: 'native', token_endpoint_auth_method: 'none' } as const;
    return { client: parseClient({ ...usual, ...storedFrom(metadata), client_id: url }) };
  } catch (error) {
    if (!(error instanceof OAuthError)) throw error;
    const { field = '', expected = '' } = error.facts;
    return { problem: `${field} ${expected}` };
  }
}

/** @throws OAuthError `invalid_redirect_uri` for an http URI beyond loopback (RFC 9700 2.6) */
function checkRedirectSchemes({ redirect_uris }: Client): void {
  const index = redirect_uris.findIndex(
    (uri) => /^http:/i.test(uri) && parseLoopbackRedirect(uri) === null,
  );
  if (index < 0) return;
  const message = 'must use https, or http with a loopback address (RFC 9700 2.6)';
  reject({ path: `redirect_uris[${index}]`, message });
}

/**
 * Returns the scope for the response (RFC 7591 3.2.1): the requested scopes that are defined, or else all defined
 * ones. It is not stored, so the client may later request any scope.
 * @throws OAuthError `invalid_client_metadata` if it is malformed
 */
function readScope({ scope = null }: Metadata, { registry }: Registrar, evaluation: Evaluation) {
  const asked = scope === null ? [] : typeof scope === 'string' ? parseScope(scope) : null;
  if (asked === null) {
    reject({ path: 'scope', message: 'must be scope tokens separated by single spaces' });
  }
  const unknown = unknownScopes(asked, null, registry);
  if (unknown.length > 0) note(evaluation, 'registered_scope_unknown', unknown.join(' '));
  const defined = beyond(asked, unknown);
  if (defined.length > 0) return defined.join(' ');
  return [...new Set([...COMMON_SCOPES, ...registry.definedScopes()])].join(' ');
}

/** Notes what the client registers for but the profile does not support. Returns the notes in words. */
function noteUnserved(client: Client, profile: Profile, evaluation: Evaluation): string[] {
  const { token_endpoint_auth_method: method, grant_types } = client;
  const { request_object_signing_alg: alg, require_signed_request_object: required } = client;
  const rules = PROFILE_RULES[profile];
  const unserved: DeviationRecord[] = [];
  if (!authMethodsOf(rules).includes(method)) {
    unserved.push({ id: 'auth_method_unusable', about: method });
  }
  if (method === 'none' && grant_types.includes('client_credentials')) {
    unserved.push({ id: 'grant_unusable', about: 'client_credentials' });
  }
  if (rules.password_grant === 'reject' && grant_types.includes('password')) {
    unserved.push({ id: 'password_grant_unusable' });
  }
  if (rules.id_token_response === 'reject' && grant_types.includes('implicit')) {
    unserved.push({ id: 'implicit_unusable' });
  }
  if (rules.request_object === 'rejected' && (alg !== undefined || required === true)) {
    unserved.push({ id: 'request_object_unusable' });
  }
  for (const { id, about } of unserved) note(evaluation, id, about);
  return unserved.map((record) => describeDeviation(record).text);
}

interface Outcome {
  readonly scope: string;
  readonly response_types: readonly ResponseType[];
  readonly unserved: readonly string[];
}

/** What a client has if its metadata has no such member: a response omits it, too. */
const ABSENT: Partial<Client> = {
  client_name: '',
  post_logout_redirect_uris: [],
  require_pushed_authorization_requests: false,
  dpop_bound_access_tokens: false,
  default_max_age: null,
  require_auth_time: false,
  jwks: null,
};

/** The response to a registration without the time of issue. */
function describe(
  client: Client,
  { scope, response_types, unserved }: Outcome,
  { settings, base }: Registrar,
): RegisteredClient {
  const { client_id, client_secret, registration_access_token = '' } = client;
  const sent = STORED.filter(
    (name) => JSON.stringify(client[name]) !== JSON.stringify(ABSENT[name]),
  );
  return {
    client_id,
    ...(client_secret === null ? {} : { client_secret, client_secret_expires_at: 0 }),
    ...Object.fromEntries(sent.map((name) => [name, client[name]])),
    response_types,
    scope,
    id_token_signed_response_alg: settings().signing_alg,
    ...(unserved.length === 0 ? {} : { grantbench_warnings: unserved }),
    registration_access_token,
    registration_client_uri: `${base()}${ENDPOINTS.registration.path}/${encodeURIComponent(client_id)}`,
  };
}

/** Stores the client for the metadata. @param former the record that it replaces; null for a new client */
function store(
  service: Registrar,
  sent: Metadata,
  former: Client | null,
  evaluation: Evaluation,
): RegisteredClient {
  const { clients } = service.registry;
  const metadata = withStandardGrants(sent, service.shape()?.grant_types);
  const client = readClient(metadata, former, service);
  noteIgnored(metadata, evaluation);
  const scope = readScope(metadata, service, evaluation);
  const response_types = readResponseTypes(metadata, client);
  const profile = client.profile ?? service.settings().profile;
  const unserved = noteUnserved(client, profile, evaluation);
  pass(evaluation, 'metadata');
  if (!clients.hasRoomFor(client)) {
    const { entries, bytes } = clients.bounds;
    const expected = clients.size < entries ? `${bytes / MIB} MiB of` : String(entries);
    throw new OAuthError('registration_full', { expected });
  }
  pass(evaluation, 'capacity');
  evaluation.client_id = client.client_id;
  clients.put(client);
  return describe(client, { scope, response_types, unserved }, service);
}

/**
 * Registers a client with its metadata, if the settings allow it.
 * @throws OAuthError `invalid_token`, `invalid_redirect_uri` or `invalid_client_metadata`
 */
export function registerClient(
  service: Registrar,
  { metadata, authorization }: RegistrationRequest,
  evaluation: Evaluation,
): RegisteredClient {
  evaluation.profile = service.settings().profile;
  checkMayRegister(authorization, service, evaluation);
  const { client_id, ...registered } = store(service, metadata, null, evaluation);
  const client_id_issued_at = secondsOf(service.ports.clock);
  return { client_id, client_id_issued_at, ...registered };
}

/** Returns the client that manages its registration. @throws OAuthError `invalid_token` for every other one */
function readManaged(
  client_id: string,
  authorization: string | null,
  { registry, ports }: Registrar,
  evaluation: Evaluation,
): Client {
  const { scheme, credentials } = readAuthorization(authorization);
  if (scheme !== 'bearer' || credentials === '') throw new OAuthError('registration_token_missing');
  const client = registry.clients.get(client_id);
  if (client === undefined) {
    throw new OAuthError('registration_token_wrong', { got: unknownClient({ got: client_id }) });
  }
  const { registration_access_token: token } = client;
  if (token === undefined) {
    throw new OAuthError('registration_token_wrong', { got: 'the client did not register itself' });
  }
  if (ports.sha256(credentials) !== ports.sha256(token)) {
    throw new OAuthError('registration_token_wrong');
  }
  evaluation.client_id = client_id;
  pass(evaluation, 'authorization_header', { got: 'the registration access token' });
  return client;
}

interface ManagementRequest extends Pick<RegistrationRequest, 'authorization'> {
  readonly client_id: string;
  /** `read` also for HEAD. */
  readonly action: { readonly replace: Metadata } | 'read' | 'delete';
}

/**
 * Reads, replaces or deletes the registration of a client that registered itself (RFC 7592 2). Replacing leaves what the
 * workspace decides as it is.
 * @returns null after it was deleted
 * @throws OAuthError `invalid_token`, `invalid_redirect_uri` or `invalid_client_metadata`
 */
export function manageClient(
  service: Registrar,
  { client_id, authorization, action }: ManagementRequest,
  evaluation: Evaluation,
): RegisteredClient | null {
  const client = readManaged(client_id, authorization, service, evaluation);
  evaluation.profile = client.profile ?? service.settings().profile;
  if (action === 'delete') {
    service.registry.clients.remove(client_id);
    return null;
  }
  if (action === 'read') {
    const scope = readScope({}, service, evaluation);
    const response_types = responseTypesOf(client);
    const unserved = noteUnserved(client, evaluation.profile, evaluation);
    return describe(client, { scope, response_types, unserved }, service);
  }
  checkOfClient(action.replace, client);
  const { client_id: _id, client_secret: _secret, ...metadata } = action.replace;
  return store(service, metadata, client, evaluation);
}
