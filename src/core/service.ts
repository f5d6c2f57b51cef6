// TokenService: the one object outsiders hold. It knows what is registered, what was issued and what
// time it is, and judges token requests; it knows nothing of HTTP, files or pages.

import type { Authorized, AuthorizationOrder } from './authorize.ts';
import { authorize, checkAuthorization } from './authorize.ts';
import { authenticateClient, claimedClient } from './clients.ts';
import type { CodeRecord, Credential, Lineage, RefreshTokenRecord } from './credentials.ts';
import { OAuthError } from './errors.ts';
import type { Grant } from './grants/grant.ts';
import { GRANTS } from './grants/index.ts';
import type { Faults } from './faults.ts';
import { createFaults } from './faults.ts';
import { createOverFetchDetector } from './over-fetch.ts';
import type { Ports } from './ports.ts';
import type { ProfileRules } from './profiles.ts';
import { PROFILE_RULES } from './profiles.ts';
import type { Registry } from './registry.ts';
import { createRegistry } from './registry.ts';
import type { TokenRequest, TokenResponse } from './request.ts';
import { MEDIA_TYPES } from './request.ts';
import type { Client, Settings } from './schemas.ts';
import type { Keyring } from './signing.ts';
import type { Throttle } from './throttle.ts';
import { createThrottle } from './throttle.ts';
import type { Issuer } from './tokens.ts';
import { createIssuer } from './tokens.ts';
import type { Judgement } from './trace.ts';
import { note, pass } from './trace.ts';

export type MintOrder = Omit<AuthorizationOrder, 'redirect_uri'>;

export interface MintedTokens {
  readonly access_token: string;
  readonly refresh_token: string | null;
  readonly expires_in: number;
  readonly scope: string;
  readonly lineage: Lineage;
}

export interface TokenService {
  readonly registry: Registry;
  readonly throttle: Throttle;
  readonly faults: Faults;
  readonly keyring: Keyring;
  readonly ports: Ports;
  settings(): Settings;
  setSettings(settings: Settings): void;
  /** The issuer identifier now. */
  issuer(): string;
  /**
   * Judges one request at the token endpoint, filling in the judgement as it goes.
   * @throws OAuthError for every refusal (behaviour 3)
   */
  token(request: TokenRequest, judgement: Judgement): Promise<TokenResponse>;
  /** @throws AuthorizationProblem naming the member and the rule */
  authorize(order: AuthorizationOrder): Promise<CodeRecord>;
  /** Mints a pair without a code. @throws AuthorizationProblem naming the member and the rule */
  mint(order: MintOrder): Promise<MintedTokens>;
  /** Opens a lineage with a live refresh token and no access token: for filling up. */
  issueRefreshToken(order: MintOrder): Promise<RefreshTokenRecord>;
  /** Ends a credential. A refresh token takes its lineage along when revoked (RFC 7009 2.1). */
  end(credential: Credential, state: 'revoked' | 'expired'): Promise<void>;
  revokeLineage(lineage: Lineage): Promise<void>;
  /** Forgets credentials and counters, arms the fault rules anew and starts a new epoch. */
  reset(): void;
}

/** Parameters that carry secrets: in a query string they leak (RFC 6749 2.3.1). */
const SECRET_PARAMETERS = [
  'client_secret',
  'client_id',
  'code',
  'refresh_token',
  'access_token',
  'code_verifier',
  'client_assertion',
];

/** Parameters this protocol knows: only their names may be spoken of. */
const KNOWN_PARAMETERS = new Set([
  ...[...GRANTS.values()].flatMap((grant) => grant.parameters),
  ...SECRET_PARAMETERS,
  'resource',
  'client_assertion_type',
  'state',
  'nonce',
  'username',
  'password',
  'token',
]);

/** The name if the protocol knows it, else a word for it: a stranger's name may hold a secret. */
export function speakable(name: string): string {
  return KNOWN_PARAMETERS.has(name) ? name : 'a parameter';
}

function readGrant(request: TokenRequest, judgement: Judgement): Grant {
  const named = request.parameters.get('grant_type');
  if (named === undefined || named === '') throw new OAuthError('grant_type_missing');
  const grant = GRANTS.get(named);
  if (grant === undefined) throw new OAuthError('grant_type_unsupported');
  judgement.grant_type = grant.grant_type;
  pass(judgement, 'grant_type');
  return grant;
}

function checkContentType(
  request: TokenRequest,
  grant: Grant,
  rules: ProfileRules,
  judgement: Judgement,
): void {
  const got = MEDIA_TYPES[request.content_type];
  const expected = MEDIA_TYPES[grant.content_type];
  if (got !== expected) {
    if (rules.other_content_type === 'refuse') {
      throw new OAuthError('content_type_not_documented', { expected, got });
    }
    note(judgement, 'other_content_type', request.content_type === 'json' ? 'JSON' : 'a form');
  }
  pass(judgement, 'grant_content_type');
}

function checkQuery(request: TokenRequest, rules: ProfileRules, judgement: Judgement): void {
  const leaked = request.query.filter((name) => SECRET_PARAMETERS.includes(name));
  if (leaked.length > 0) {
    const got = leaked.join(', ');
    if (rules.query_credentials === 'refuse') throw new OAuthError('query_credentials', { got });
    note(judgement, 'query_credentials', got);
  }
  pass(judgement, 'query');
}

function checkParameters(
  request: TokenRequest,
  grant: Grant,
  rules: ProfileRules,
  judgement: Judgement,
): void {
  const required = grant.required(rules);
  for (const field of required) {
    const value = request.parameters.get(field);
    if (value === undefined) throw new OAuthError('parameter_missing', { field });
    if (value === '') throw new OAuthError('parameter_empty', { field });
  }
  pass(judgement, 'parameters');
  if (rules.unknown_parameters === 'ignore') return;
  const unknown: string[] = [];
  for (const name of request.parameters.keys()) {
    if (!grant.parameters.includes(name)) unknown.push(name);
  }
  if (unknown.length > 0) {
    note(judgement, 'unknown_parameters', [...new Set(unknown.map(speakable))].join(', '));
  }
}

export interface TokenServiceOptions {
  readonly settings: Settings;
  readonly keyring: Keyring;
  /** The issuer while the settings fix none. */
  readonly defaultIssuer: () => string;
}

export function createTokenService(ports: Ports, options: TokenServiceOptions): TokenService {
  let settings = options.settings;
  const { clock, stores, emit } = ports;
  const registry = createRegistry(ports.sha256, emit);
  const throttle = createThrottle();
  const overFetch = createOverFetchDetector();
  const faults = createFaults(emit);
  const issuer = () => settings.issuer ?? options.defaultIssuer();
  const tokens: Issuer = createIssuer(ports, registry, options.keyring, () => settings, issuer);

  /** Without an exchange to decide it, the audience is decided here, before its scopes are checked. */
  const authorizeMinting = (order: MintOrder): Authorized => {
    const standIn = registry.clients.get(order.client_id)?.default_audience ?? issuer();
    const decided = { ...order, audience: order.audience ?? standIn };
    return checkAuthorization(decided, registry, settings, issuer());
  };
  const openLineage = ({ client, user, audience, scope }: Authorized): Lineage =>
    tokens.openLineage({ client_id: client.client_id, sub: user.sub, audience, scope });

  return {
    registry,
    throttle,
    faults,
    keyring: options.keyring,
    ports,
    settings: () => settings,
    setSettings: (next) => {
      settings = next;
      emit({ type: 'settings' });
    },
    issuer,
    token: async (request, judgement) => {
      const claimed: Client | undefined = claimedClient(request, registry);
      judgement.client_id = claimed?.client_id ?? null;
      judgement.profile = claimed?.profile ?? settings.profile;
      const grant = readGrant(request, judgement);
      const rules = PROFILE_RULES[judgement.profile];
      checkContentType(request, grant, rules, judgement);
      checkQuery(request, rules, judgement);
      const client = authenticateClient(request, rules, registry, ports.sha256, judgement);
      if (!client.grant_types.includes(grant.grant_type)) throw new OAuthError('grant_not_allowed');
      pass(judgement, 'grant_allowed');
      checkParameters(request, grant, rules, judgement);
      return grant.redeem({
        request,
        judgement,
        client,
        rules,
        settings,
        issuer: issuer(),
        ports,
        registry,
        throttle,
        tokens,
        keyring: options.keyring,
        overFetch,
      });
    },
    authorize: (order) => authorize(order, registry, settings, issuer(), tokens),
    mint: async (order) => {
      const authorized = authorizeMinting(order);
      const { client, scope } = authorized;
      const lineage = openLineage(authorized);
      const access = await tokens.issueAccessToken({
        client,
        lineage,
        audience: lineage.audience ?? issuer(),
        scope,
        expires_in: order.access_token_expires_in ?? null,
        exchange: null,
      });
      const refresh = client.grant_types.includes('refresh_token')
        ? await tokens.issueRefreshToken(lineage, null)
        : null;
      return {
        access_token: access.value,
        refresh_token: refresh?.value ?? null,
        expires_in: (access.expires_at - access.issued_at) / 1000,
        scope,
        lineage,
      };
    },
    issueRefreshToken: async (order) =>
      tokens.issueRefreshToken(openLineage(authorizeMinting(order)), null),
    end: async (credential, state) => {
      const now = clock.now();
      await stores.end(credential, state, now, null);
      if (state === 'revoked' && credential.kind === 'refresh_token') {
        await stores.revokeLineage(credential.lineage, now, null);
      }
      emit({ type: 'credentials' });
    },
    revokeLineage: async (lineage) => {
      await stores.revokeLineage(lineage, clock.now(), null);
      emit({ type: 'credentials' });
    },
    reset: () => {
      stores.clear();
      throttle.clear();
      overFetch.clear();
      faults.rearm();
      tokens.reset();
      emit({ type: 'reset' });
    },
  };
}
