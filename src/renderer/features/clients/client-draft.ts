// A client as the form holds it (texts, empty for none), and the way there and back.

import type { FormErrors } from '@mantine/form';
import {
  ACCESS_TOKEN_FORMATS,
  AUTH_METHODS,
  clientSchema,
  GRANT_TYPES,
  PROFILES,
  type Client,
} from '../../../control/schemas.ts';
import { claimsText, readClaims } from '../../claims-text.ts';
import { problemsByField } from '../../ui/problems.ts';

/** Members that the form hands on as they are. */
type Untouched = Pick<
  Client,
  | 'application_type'
  | 'post_logout_redirect_uris'
  | 'jwks'
  | 'refresh_token_expires_in'
  | 'throttle'
>;

export interface ClientDraft extends Untouched, Record<string, unknown> {
  client_id: string;
  client_name: string;
  client_secret: string;
  redirect_uris: string[];
  grant_types: string[];
  token_endpoint_auth_method: string;
  default_audience: string | null;
  profile: string | null;
  access_token_expires_in: number | string;
  access_token_format: string | null;
  claims: string;
}

const SECRET_BYTES = 32;
const ID_BYTES = 4;

const randomBytes = (count: number) => crypto.getRandomValues(new Uint8Array(count));

/** 256 bits in the alphabet of base64url. */
export function newSecret(): string {
  const text = btoa(String.fromCharCode(...randomBytes(SECRET_BYTES)));
  return text.replaceAll('+', '-').replaceAll('/', '_').replaceAll('=', '');
}

const newId = (stem: string) =>
  `${stem}-${[...randomBytes(ID_BYTES)].map((byte) => byte.toString(16).padStart(2, '0')).join('')}`;

export const draftOf = (client: Client): ClientDraft => ({
  ...client,
  client_secret: client.client_secret ?? '',
  redirect_uris: [...client.redirect_uris],
  grant_types: [...client.grant_types],
  access_token_expires_in: client.access_token_expires_in ?? '',
  claims: claimsText(client.claims),
});

export const newDraft = (): ClientDraft => ({
  client_id: newId('app'),
  client_name: '',
  client_secret: newSecret(),
  redirect_uris: ['http://localhost:3000/callback'],
  grant_types: ['authorization_code', 'refresh_token'],
  token_endpoint_auth_method: 'client_secret_post',
  application_type: 'web',
  post_logout_redirect_uris: [],
  jwks: null,
  refresh_token_expires_in: null,
  throttle: null,
  default_audience: null,
  profile: null,
  access_token_expires_in: '',
  access_token_format: null,
  claims: '',
});

/** The same client under a new id and with a secret of its own. */
export const duplicateOf = (client: Client): ClientDraft => ({
  ...draftOf(client),
  client_id: newId(client.client_id.slice(0, 100)),
  client_name: client.client_name === '' ? '' : `${client.client_name} (copy)`,
  client_secret: newSecret(),
});

const known = <T extends string>(names: readonly T[], name: string | null): T | null =>
  names.find((candidate) => candidate === name) ?? null;

/** The record the draft stands for; claims that do not parse are left empty (see `problemsOf`). */
export function clientOf(draft: ClientDraft): Client {
  const claims = readClaims(draft.claims);
  const lifetime = draft.access_token_expires_in;
  const { application_type, post_logout_redirect_uris, jwks, refresh_token_expires_in } = draft;
  return {
    application_type,
    post_logout_redirect_uris,
    jwks,
    refresh_token_expires_in,
    throttle: draft.throttle,
    client_id: draft.client_id,
    client_name: draft.client_name,
    client_secret: draft.client_secret === '' ? null : draft.client_secret,
    redirect_uris: draft.redirect_uris,
    grant_types: GRANT_TYPES.filter((grant) => draft.grant_types.includes(grant)),
    token_endpoint_auth_method:
      known(AUTH_METHODS, draft.token_endpoint_auth_method) ?? 'client_secret_post',
    default_audience: draft.default_audience,
    profile: known(PROFILES, draft.profile),
    access_token_expires_in: lifetime === '' ? null : Number(lifetime),
    access_token_format: known(ACCESS_TOKEN_FORMATS, draft.access_token_format),
    claims: claims.ok ? claims.claims : {},
  };
}

/** What is wrong with the draft, by field. */
export function problemsOf(draft: ClientDraft): FormErrors {
  const claims = readClaims(draft.claims);
  const errors = problemsByField(clientSchema, clientOf(draft), ['claims']);
  return claims.ok ? errors : { ...errors, claims: claims.problem };
}
