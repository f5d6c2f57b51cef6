import {
  type Exchange,
  type Profile,
  type Settings,
  clientSchema,
  redirectUriSchema,
  type Client,
  type ClientGrant,
  type GrantType,
} from '../../control/schemas.ts';
import { registerClient } from '../actions/delete-record.ts';
import { addRedirectUri, allowGrant, grantName, openRegistration } from '../actions/sandbox.ts';
import { control } from '../connection/control.ts';
import { usePage } from '../connection/state.ts';
import { TrustCommand } from '../ui/CodeBlock.tsx';
import { Offer, type OfferProps } from './ProfileOffer.tsx';
import { isOwnRedirectUri, RECORD_BOUNDS } from '../../control/names.ts';
import { isBasic, readBasic } from '../../oauth/client-authentication.ts';
import { headerOf } from '../../oauth/fields.ts';
import {
  CONFIDENTIAL_GRANTS,
  DEVICE_CODE_GRANT,
  JWT_BEARER_GRANT,
} from '../../oauth/token-request.ts';
import { REDACTED } from '../../redact/spans.ts';
import { bodyFields, queryOf } from './answer.ts';

// What one click can change so that a rejected request of the app is accepted. Offers only changes that the service
// accepts and that are sufficient for the same request. Pure.

export type Fix = (
  | { readonly what: 'redirect_uri'; readonly client: Client; readonly uri: string }
  | { readonly what: 'grant'; readonly client: Client; readonly grant: ClientGrant }
  | { readonly what: 'client'; readonly client_id: string }
  | { readonly what: 'registration' }
) & {
  /** Whether the change has been made, so that the request only has to be sent again. */
  readonly made: boolean;
};

/** The state of the sandbox that a fix depends on. */
interface Sandbox extends Pick<Settings, 'profile' | 'registration'> {
  readonly clients: readonly Client[];
}

/** Grants whose responses contain a refresh token. */
const REFRESHED: readonly GrantType[] = ['authorization_code', 'password', DEVICE_CODE_GRANT];

const parametersOf = (exchange: Exchange): Readonly<Record<string, unknown>> =>
  exchange.method === 'GET'
    ? Object.fromEntries(new URLSearchParams(queryOf(exchange)))
    : bodyFields(exchange.request);

function redirectUriIn(exchange: Exchange): string | null {
  const { redirect_uri } = parametersOf(exchange);
  if (typeof redirect_uri !== 'string' || redirect_uri.includes(REDACTED)) return null;
  return redirectUriSchema.safeParse(redirect_uri).success ? redirect_uri : null;
}

/** The grant that a client lacks; for an authorization or device request, the grant that follows it. */
function grantOf({ grant_type, trace, why }: Exchange): ClientGrant {
  if (why?.reason === 'grant_not_allowed_for_id_token') return 'implicit';
  if (grant_type !== null) return grant_type as GrantType;
  const authorizes = trace.some(({ id }) => id === 'response_type');
  return authorizes ? 'authorization_code' : DEVICE_CODE_GRANT;
}

const isSaved = (client: Client): boolean => clientSchema.safeParse(client).success;

function ofRedirectUri(client: Client, exchange: Exchange): Fix | null {
  const uri = redirectUriIn(exchange);
  if (uri === null) return null;
  const made = isOwnRedirectUri(client, uri);
  const wanted = { ...client, redirect_uris: [...client.redirect_uris, uri] };
  return made || isSaved(wanted) ? { what: 'redirect_uri', client, uri, made } : null;
}

/** No fix if the request would then fail the next check: a missing secret or key, or the profile. */
function ofGrant(client: Client, exchange: Exchange, profile: Profile): Fix | null {
  const grant = grantOf(exchange);
  const made = client.grant_types.includes(grant);
  const { client_secret, jwks, token_endpoint_auth_method: method } = client;
  const isPublic = client_secret === null && method !== 'private_key_jwt';
  if (isPublic && CONFIDENTIAL_GRANTS.includes(grant)) return null;
  if (grant === JWT_BEARER_GRANT && jwks === null) return null;
  if (grant === 'password' && (client.profile ?? profile) === 'strict') return null;
  return { what: 'grant', client, grant, made };
}

/** False if the request would then fail the next check: its keys cannot be known, or it has no secret. */
function isRegistrable(client_id: string, exchange: Exchange): boolean {
  const { client_assertion } = parametersOf(exchange);
  if (client_assertion !== undefined || exchange.grant_type === JWT_BEARER_GRANT) return false;
  const { token_endpoint_auth_method: method, grant_types } = registrationOf(exchange);
  if (method === 'none' && grant_types.some((grant) => CONFIDENTIAL_GRANTS.includes(grant))) {
    return false;
  }
  return !client_id.includes(REDACTED) && clientSchema.shape.client_id.safeParse(client_id).success;
}

const isFull = ({ clients }: Sandbox): boolean => clients.length >= RECORD_BOUNDS.clients.entries;

function ofClient(client_id: string, exchange: Exchange, sandbox: Sandbox): Fix | null {
  const made = sandbox.clients.some((client) => client.client_id === client_id);
  return made || (!isFull(sandbox) && isRegistrable(client_id, exchange))
    ? { what: 'client', client_id, made }
    : null;
}

/** null if no single change makes the request acceptable, and for Grantbench's own requests. */
export function fixOf(exchange: Exchange, sandbox: Sandbox): Fix | null {
  if (exchange.sent_by !== 'app' || exchange.why === null) return null;
  const { check, reason } = exchange.why;
  const client = sandbox.clients.find(({ client_id }) => client_id === exchange.client_id);
  switch (reason) {
    case 'redirect_uri_unregistered':
    case 'redirect_uri_none_registered':
      return client === undefined ? null : ofRedirectUri(client, exchange);
    case 'grant_not_allowed':
    case 'grant_not_allowed_for_id_token':
      return client === undefined ? null : ofGrant(client, exchange, sandbox.profile);
    case 'client_unknown':
    case 'authorization_client_unknown':
    case 'logout_client_unknown': {
      const got = exchange.trace.find(({ id }) => id === check)?.got ?? null;
      return got === null ? null : ofClient(got, exchange, sandbox);
    }
    case 'registration_off': {
      const made = sandbox.registration.mode !== 'off';
      return exchange.method === 'POST' && !isFull(sandbox) ? { what: 'registration', made } : null;
    }
    default:
      return null;
  }
}

type Registration = Pick<Client, 'redirect_uris' | 'grant_types' | 'token_endpoint_auth_method'> & {
  /** If absent, the service generates one. */
  readonly client_secret?: string | null;
};

function grantsOf({ grant_type }: Exchange): GrantType[] {
  const grant = grant_type === null || grant_type === 'refresh_token' ? null : grant_type;
  const first = (grant ?? 'authorization_code') as GrantType;
  return REFRESHED.includes(first) ? [first, 'refresh_token'] : [first];
}

/**
 * The members, except client_id, of a client that sends such requests.
 * @param exchange with its secrets, so that the client gets the secret that was sent
 */
export function registrationOf(exchange: Exchange): Registration {
  const uri = redirectUriIn(exchange);
  const authorization = headerOf(exchange.request.headers, 'authorization');
  const { client_secret } = parametersOf(exchange);
  const known = { redirect_uris: uri === null ? [] : [uri], grant_types: grantsOf(exchange) };
  const basic = isBasic(authorization);
  if (!basic && client_secret === undefined && exchange.why?.reason === 'client_unknown') {
    return { ...known, token_endpoint_auth_method: 'none', client_secret: null };
  }
  const sent = basic ? readBasic(authorization)?.client_secret : client_secret;
  const { success, data } = clientSchema.shape.client_secret.safeParse(sent ?? null);
  return {
    ...known,
    token_endpoint_auth_method: basic ? 'client_secret_basic' : 'client_secret_post',
    ...(success && data !== null ? { client_secret: data } : {}),
  };
}

function offerOf(fix: Fix, { number }: Exchange): Omit<OfferProps, 'made'> {
  switch (fix.what) {
    case 'redirect_uri':
      return {
        title: 'Add this redirect URI to the client',
        done: 'This redirect URI is now registered',
        make: () => addRedirectUri(fix.client, fix.uri),
      };
    case 'grant':
      return {
        title: `Allow ${grantName(fix.grant)} for this client`,
        done: `This client may now use ${grantName(fix.grant)}`,
        make: () => allowGrant(fix.client, fix.grant),
      };
    case 'registration':
      return {
        title: 'Let clients register themselves',
        done: 'Clients may now register themselves',
        make: openRegistration,
      };
    case 'client':
      return {
        title: 'Register this client',
        done: 'This client is now registered',
        // Reads the request again with its secrets, which the page does not have.
        make: () =>
          registerClient(fix.client_id, async () =>
            registrationOf(await control.exchanges.get({ number, secrets: true })),
          ),
      };
  }
}

/** Offers a change after which the rejected request is accepted. */
export function FixOffer({ exchange }: { readonly exchange: Exchange }) {
  const clients = usePage((state) => state.clients);
  const settings = usePage((state) => state.settings);
  const certificate = usePage((state) => state.server?.certificate ?? null);
  if (exchange.why?.reason === 'tls_failed' && exchange.why.detail === null) {
    return certificate === null ? null : <TrustCommand certificate={certificate} />;
  }
  if (settings === null) return null;
  const fix = fixOf(exchange, { clients, ...settings });
  return fix && <Offer made={fix.made} {...offerOf(fix, exchange)} />;
}
