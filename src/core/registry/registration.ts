// Dynamic client registration (RFC 7591): who may register, what of the metadata is taken, and what is
// told back. It brings the schemas along, so it is imported when a client first registers.

import { isJsonObject } from '../records/json-object.ts';
import { readAuthorization } from '../client-authentication/authorization-header.ts';
import { OAuthError } from '../checks/errors.ts';
import type { Random } from '../model/ports.ts';
import type { Problem } from '../records/problems.ts';
import { IN_WORDS } from '../records/in-words.ts';
import { problemsOf } from '../records/problems.ts';
import { authMethodsOf, PROFILE_RULES } from '../checks/profiles.ts';
import type { Client } from '../records/schemas.ts';
import { clientSchema } from '../records/schemas.ts';
import type { TokenService } from '../service.ts';
import { encodeRandom } from '../issuing/random-text.ts';
import type { Evaluation } from '../checks/trace.ts';
import { note, pass } from '../checks/trace.ts';

type Registrar = Pick<TokenService, 'registry' | 'ports' | 'settings'>;
type Metadata = Readonly<Record<string, unknown>>;

export interface RegistrationRequest {
  readonly metadata: Metadata;
  /** The Authorization header as sent, or null. */
  readonly authorization: string | null;
}

/** The client information response (RFC 7591 3.2.1). */
export interface RegisteredClient {
  readonly client_id: string;
  readonly client_secret?: string;
  /** Seconds since the epoch, on the sandbox clock. */
  readonly client_id_issued_at: number;
  /** 0: never; there with a secret only. */
  readonly client_secret_expires_at?: 0;
  readonly [member: string]: unknown;
}

/** What a stranger may say of itself. All else a client record has is for the workspace to decide. */
const TAKEN = [
  'client_name',
  'application_type',
  'redirect_uris',
  'post_logout_redirect_uris',
  'grant_types',
  'token_endpoint_auth_method',
  'jwks',
] as const;

/** Read, but not kept as they came. */
const UNDERSTOOD: readonly string[] = [...TAKEN, 'response_types', 'jwks_uri'];

/** Names that may be spoken of when they are ignored: a stranger's may hold a secret. */
const SPEAKABLE = new Set([
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
  'default_max_age',
  'initiate_login_uri',
  'request_uris',
  'require_auth_time',
  'sector_identifier_uri',
  'subject_type',
  'token_endpoint_auth_signing_alg',
]);

/** Whether a client that authenticates so has a secret; without a method, the default one. */
const hasSecret = (method: string | undefined) => method !== 'none' && method !== 'private_key_jwt';

/** What a new client gets that names none: its identifier, and a secret if it needs one. */
export function withCredentials(draft: Partial<Client>, random: Random): Partial<Client> {
  const { client_id = encodeRandom(random(15)), ...rest } = draft;
  if (rest.client_secret !== undefined || !hasSecret(rest.token_endpoint_auth_method)) {
    return { client_id, ...rest };
  }
  return { client_id, ...rest, client_secret: encodeRandom(random(32)) };
}

const MIB = 1024 * 1024;

/** @throws OAuthError `invalid_token` without the initial access token where one is asked for */
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
  const ignored = Object.keys(metadata).filter((name) => !UNDERSTOOD.includes(name));
  if (ignored.length === 0) return;
  const names = ignored.map((name) => (SPEAKABLE.has(name) ? name : 'another member'));
  note(evaluation, 'metadata_ignored', [...new Set(names)].join(', '));
}

/** A JWK Set may have members beside `keys`, which are to be ignored (RFC 7517 5). */
const keysOf = (jwks: unknown) => (isJsonObject(jwks) ? { keys: jwks['keys'] } : jwks);

/** Where a member is null it counts as left out. */
function takenFrom(metadata: Metadata): Partial<Client> {
  const taken = TAKEN.filter((name) => (metadata[name] ?? null) !== null).map((name) => [
    name,
    name === 'jwks' ? keysOf(metadata[name]) : metadata[name],
  ]);
  return Object.fromEntries(taken) as Partial<Client>;
}

const isRedirectUri = ({ path }: Problem) => path.startsWith('redirect_uris');

function refuse(problem: Problem): never {
  // The message names the rule but does not repeat values that a stranger sent.
  const expected = problem.message.replace(/ "[^]*$/, '');
  const reason = isRedirectUri(problem) ? 'metadata_redirect_uri' : 'metadata_invalid';
  throw new OAuthError(reason, { field: problem.path || 'the metadata', expected });
}

function checkUnderstood(metadata: Metadata): void {
  const { jwks_uri = null, response_types = null } = metadata;
  if (jwks_uri !== null) {
    refuse({ path: 'jwks_uri', message: 'is not supported: send the keys inline as jwks' });
  }
  const types: unknown = response_types ?? [];
  if (!Array.isArray(types) || types.some((type) => type !== 'code')) {
    refuse({ path: 'response_types', message: 'must be an array that contains only code' });
  }
}

/** The record that the metadata makes. @throws OAuthError naming the first member that breaks a rule */
function readClient(metadata: Metadata, random: Random): Client {
  checkUnderstood(metadata);
  const draft = withCredentials(takenFrom(metadata), random);
  const { success, data, error } = clientSchema.safeParse(draft, IN_WORDS);
  if (!success) {
    const problems = problemsOf(error.issues, draft);
    refuse(
      problems.find(isRedirectUri) ?? problems[0] ?? { path: 'metadata', message: 'is not valid' },
    );
  }
  if (data.grant_types.includes('authorization_code') && data.redirect_uris.length === 0) {
    const message = 'is required with the grant authorization_code (RFC 7591 2)';
    refuse({ path: 'redirect_uris', message });
  }
  return data;
}

function describe(client: Client, { settings, ports }: Registrar): RegisteredClient {
  const { client_id, client_secret, client_name, jwks, post_logout_redirect_uris } = client;
  return {
    client_id,
    ...(client_secret === null ? {} : { client_secret }),
    client_id_issued_at: Math.floor(ports.clock.now() / 1000),
    ...(client_secret === null ? {} : { client_secret_expires_at: 0 }),
    ...(client_name === '' ? {} : { client_name }),
    application_type: client.application_type,
    redirect_uris: client.redirect_uris,
    ...(post_logout_redirect_uris.length === 0 ? {} : { post_logout_redirect_uris }),
    grant_types: client.grant_types,
    response_types: client.grant_types.includes('authorization_code') ? ['code'] : [],
    token_endpoint_auth_method: client.token_endpoint_auth_method,
    ...(jwks === null ? {} : { jwks }),
    id_token_signed_response_alg: settings().signing_alg,
  };
}

/**
 * Registers a client by its metadata, which the settings have to allow.
 * @throws OAuthError `invalid_token`, `invalid_redirect_uri` or `invalid_client_metadata`
 */
export function registerClient(
  service: Registrar,
  { metadata, authorization }: RegistrationRequest,
  evaluation: Evaluation,
): RegisteredClient {
  const { clients } = service.registry;
  const { profile } = service.settings();
  evaluation.profile = profile;
  checkMayRegister(authorization, service, evaluation);
  const client = readClient(metadata, service.ports.random);
  noteIgnored(metadata, evaluation);
  const method = client.token_endpoint_auth_method;
  if (!authMethodsOf(PROFILE_RULES[profile]).includes(method)) {
    note(evaluation, 'auth_method_unusable', method);
  }
  pass(evaluation, 'metadata');
  if (!clients.hasRoomFor(client)) {
    const { entries, bytes } = clients.bounds;
    const expected = clients.size < entries ? `${bytes / MIB} MiB of` : String(entries);
    throw new OAuthError('registration_full', { expected });
  }
  pass(evaluation, 'capacity');
  evaluation.client_id = client.client_id;
  clients.put(client);
  return describe(client, service);
}
