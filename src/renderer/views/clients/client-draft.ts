// A client as the form holds it (texts, empty for none), and its conversion to and from a record.

import type { FormErrors } from '@mantine/form';
import { isJsonObject } from '../../../json.ts';
import { clientSchema, type Client } from '../../../control/schemas.ts';
import { CLIENT_GRANTS, IN_WORDS, pathOf } from '../../../control/names.ts';
import {
  claimsText,
  readClaims,
  readTypedJson,
  rejected,
  type Typed,
} from '../../ui/typed-json.ts';
import { newSecret, randomHex } from '../../ui/random.ts';
import { problemsByField } from '../../ui/problems.ts';

// The public keys of a client as the person pastes them: a JWK Set, one JWK, or an array of them.

type Keys = Client['jwks'];

export const keysText = (jwks: Keys): string =>
  jwks === null ? '' : JSON.stringify(jwks, null, 2);

/** Members of a JWK Set other than `keys` must be ignored (RFC 7517 5). */
function asSet(value: unknown): unknown {
  if (Array.isArray(value)) return { keys: value as unknown };
  if (!isJsonObject(value)) return value;
  return 'keys' in value ? { keys: value['keys'] } : { keys: [value] };
}

/** Where the text has a key of its set. */
function pathOfKey(value: unknown, index: number): readonly PropertyKey[] {
  if (Array.isArray(value)) return [index];
  return isJsonObject(value) && 'keys' in value ? ['keys', index] : [];
}

export function readKeys(text: string): Typed<{ readonly jwks: Keys }> {
  if (text.trim() === '') return { ok: true, jwks: null };
  const json = readTypedJson(text);
  if (!json.ok) return json;
  const read = clientSchema.shape.jwks.safeParse(asSet(json.value), IN_WORDS);
  if (read.success) return { ok: true, jwks: read.data };
  const issue = read.error.issues[0];
  const rule = issue?.message ?? 'is not valid';
  const [, index, member] = issue?.path ?? [];
  if (typeof index !== 'number') return rejected(`The keys ${rule}.`);
  const key = `Key ${index + 1}`;
  if (typeof member !== 'string') return rejected(`${key} ${rule}.`);
  const line = json.lineOf(pathOf([...pathOfKey(json.value, index), member]));
  return rejected(`${key}, line ${line}: “${member}” ${rule}.`);
}

/** The value of a number field while it is being typed; empty for none. */
type TypedNumber = number | string;

const typed = (value: number | null | undefined): TypedNumber => value ?? '';

const newId = (stem: string) => `${stem}-${randomHex(4)}`;

/** Without the token of its registration, which the form neither shows nor copies. */
export const draftOf = ({ registration_access_token: _, ...client }: Client) => ({
  ...client,
  client_secret: client.client_secret ?? '',
  jwks: keysText(client.jwks),
  jwks_uri: client.jwks_uri ?? '',
  backchannel_logout_uri: client.backchannel_logout_uri ?? '',
  backchannel_logout_session_required: client.backchannel_logout_session_required ?? false,
  request_object_signing_alg: client.request_object_signing_alg ?? null,
  require_signed_request_object: client.require_signed_request_object ?? false,
  authorization_signed_response_alg: client.authorization_signed_response_alg ?? null,
  userinfo_signed_response_alg: client.userinfo_signed_response_alg ?? null,
  introspection_signed_response_alg: client.introspection_signed_response_alg ?? null,
  access_token_expires_in: typed(client.access_token_expires_in),
  refresh_token_expires_in: typed(client.refresh_token_expires_in),
  default_max_age: typed(client.default_max_age),
  throttle: {
    limit: typed(client.throttle?.limit),
    window_seconds: typed(client.throttle?.window_seconds),
  },
  claims: claimsText(client.claims),
});

export type ClientDraft = ReturnType<typeof draftOf>;

export const newDraft = (): ClientDraft =>
  draftOf(
    clientSchema.parse({
      client_id: newId('app'),
      client_secret: newSecret(),
      redirect_uris: APP_KINDS.web.redirect_uris,
    }),
  );

/** The kinds of app that a new client may be, and what each begins with. */
export const APP_KINDS = {
  web: {
    label: 'Web app',
    text: 'A server of yours that can keep a secret',
    application_type: 'web',
    method: 'client_secret_post',
    grants: ['authorization_code', 'refresh_token'],
    redirect_uris: ['http://localhost:3000/callback'],
  },
  page: {
    label: 'Page (SPA)',
    text: 'Runs in the browser, without a secret',
    application_type: 'web',
    method: 'none',
    grants: ['authorization_code', 'refresh_token'],
    redirect_uris: ['http://localhost:3000/callback'],
  },
  native: {
    label: 'Native app',
    text: 'On a phone or desktop, without a secret; any loopback port',
    application_type: 'native',
    method: 'none',
    grants: ['authorization_code', 'refresh_token'],
    redirect_uris: ['http://127.0.0.1/callback'],
  },
  machine: {
    label: 'Machine',
    text: 'Acts for itself, without a user',
    application_type: 'web',
    method: 'client_secret_post',
    grants: ['client_credentials'],
    redirect_uris: [],
  },
} as const;
export type AppKind = keyof typeof APP_KINDS;

export const isAppKind = (name: string): name is AppKind => Object.hasOwn(APP_KINDS, name);

/** The kind that the draft has the type, authentication and grants of; null for none of them. */
export function kindOf(draft: ClientDraft): AppKind | null {
  const found = Object.entries(APP_KINDS).find(
    ([, { application_type, method, grants }]) =>
      draft.application_type === application_type &&
      draft.token_endpoint_auth_method === method &&
      draft.grant_types.toSorted().join() === grants.toSorted().join(),
  );
  return found !== undefined && isAppKind(found[0]) ? found[0] : null;
}

/** The draft as this kind of app begins; everything else that was typed stays. */
export function withKind(draft: ClientDraft, kind: AppKind): ClientDraft {
  const { application_type, method, grants, redirect_uris } = APP_KINDS[kind];
  return {
    ...draft,
    application_type,
    token_endpoint_auth_method: method,
    client_secret: secretFor(method, draft.client_secret, ''),
    grant_types: [...grants],
    redirect_uris: [...redirect_uris],
  };
}

/** The same client with a new id and, if it has a secret, a new one. */
export const duplicateOf = (client: Client): ClientDraft => ({
  ...draftOf(client),
  client_id: newId(client.client_id.slice(0, 100)),
  client_name: client.client_name === '' ? '' : `${client.client_name} (copy)`,
  client_secret: client.client_secret === null ? '' : newSecret(),
});

/** Whether a client with this authentication method must have a secret. */
export const takesSecret = (method: string): boolean =>
  method !== 'none' && method !== 'private_key_jwt';

/** The secret for an authentication method. @param former the secret in the record */
export const secretFor = (method: string, typed: string, former: string): string =>
  takesSecret(method) ? typed || former || newSecret() : '';

const numberOf = (typed: TypedNumber): number | null => (typed === '' ? null : Number(typed));

/** If both are empty, the workspace default applies. If one is empty, the schema reports it. */
function throttleOf({ limit, window_seconds }: ClientDraft['throttle']): Client['throttle'] {
  if (limit === '' && window_seconds === '') return null;
  return { limit: numberOf(limit), window_seconds: numberOf(window_seconds) } as Client['throttle'];
}

/** The record for the draft; texts that cannot be parsed count as empty (see `problemsOf`). */
export function clientOf(draft: ClientDraft): Client {
  const claims = readClaims(draft.claims);
  const keys = readKeys(draft.jwks);
  return {
    ...draft,
    client_secret: draft.client_secret || null,
    jwks: keys.ok ? keys.jwks : null,
    jwks_uri: draft.jwks_uri || undefined,
    backchannel_logout_uri: draft.backchannel_logout_uri || undefined,
    backchannel_logout_session_required: draft.backchannel_logout_session_required || undefined,
    request_object_signing_alg: draft.request_object_signing_alg ?? undefined,
    require_signed_request_object: draft.require_signed_request_object || undefined,
    authorization_signed_response_alg: draft.authorization_signed_response_alg ?? undefined,
    userinfo_signed_response_alg: draft.userinfo_signed_response_alg ?? undefined,
    introspection_signed_response_alg: draft.introspection_signed_response_alg ?? undefined,
    grant_types: CLIENT_GRANTS.filter((grant) => draft.grant_types.includes(grant)),
    access_token_expires_in: numberOf(draft.access_token_expires_in),
    refresh_token_expires_in: numberOf(draft.refresh_token_expires_in),
    default_max_age: numberOf(draft.default_max_age),
    throttle: throttleOf(draft.throttle),
    claims: claims.ok ? claims.claims : {},
  };
}

export function problemsOf(draft: ClientDraft): FormErrors {
  const claims = readClaims(draft.claims);
  const keys = readKeys(draft.jwks);
  const shown = draft.token_endpoint_auth_method === 'private_key_jwt';
  return {
    ...problemsByField(clientSchema, clientOf(draft), ['claims', 'jwks']),
    ...(claims.ok ? {} : { claims: claims.problem }),
    ...(keys.ok || !shown ? {} : { jwks: keys.problem }),
  };
}
