// TokenService: the one object outsiders hold. It knows what is registered, what was issued and what
// time it is, and judges token requests; it knows nothing of HTTP, files or pages.

import { createAccessTokenReader } from './presented/access-tokens.ts';
import type { Authorized, AuthorizationOrder } from './authorization/authorize.ts';
import { authorize, checkAuthorization } from './authorization/authorize.ts';
import type { CodeRecord, Credential, Lineage, RefreshTokenRecord } from './model/credentials.ts';
import type { Domain } from './model/domain.ts';
import type { Faults } from './faults/rules.ts';
import { createFaults } from './faults/rules.ts';
import type { Introspection, IntrospectionRequest } from './presented/introspection.ts';
import { introspect } from './presented/introspection.ts';
import { createOverFetchDetector } from './throttle/redundant-requests.ts';
import type { Ports } from './model/ports.ts';
import type { Registry } from './registry/lists.ts';
import { createRegistry } from './registry/lists.ts';
import type { TokenRequest, TokenResponse } from './model/request.ts';
import { revoke } from './presented/revocation.ts';
import type { Settings } from './records/schemas.ts';
import type { Keyring } from './issuing/keyring.ts';
import type { Throttle } from './throttle/counters.ts';
import { createThrottle } from './throttle/counters.ts';
import type { Issuer } from './issuing/issuer.ts';
import { judgeTokenRequest } from './token-endpoint/token-request.ts';
import { createIssuer } from './issuing/issuer.ts';
import type { Judgement } from './checks/trace.ts';
import { createUsedAssertions } from './client-authentication/used-assertions.ts';
import type { UserAuthorization } from './authorization/endpoints.ts';
import { createUserAuthorization } from './authorization/endpoints.ts';
import type { UserinfoClaims, UserinfoRequest } from './presented/userinfo.ts';
import { userinfo } from './presented/userinfo.ts';

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
  /** The authorization and logout endpoints. */
  readonly userAuthorization: UserAuthorization;
  readonly keyring: Keyring;
  readonly tokens: Issuer;
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
  /** Revokes a token for its client (RFC 7009). @throws OAuthError for every refusal */
  revoke(request: TokenRequest, judgement: Judgement): Promise<void>;
  /** Tells a client about a token (RFC 7662). @throws OAuthError for every refusal */
  introspect(request: IntrospectionRequest, judgement: Judgement): Promise<Introspection>;
  /** Tells a bearer about its user (OpenID Connect Core 5.3). @throws OAuthError for every refusal */
  userinfo(request: UserinfoRequest, judgement: Judgement): Promise<UserinfoClaims>;
  /** @throws AuthorizationProblem naming the member and the rule */
  authorize(order: AuthorizationOrder): Promise<CodeRecord>;
  /** Mints a pair without a code. @throws AuthorizationProblem naming the member and the rule */
  mint(order: MintOrder): Promise<MintedTokens>;
  /** Opens a lineage with a live refresh token and no access token: for filling up. */
  issueRefreshToken(order: MintOrder): Promise<RefreshTokenRecord>;
  /** Ends a credential. A refresh token takes its lineage along when revoked (RFC 7009 2.1). */
  end(credential: Credential, state: 'revoked' | 'expired'): Promise<void>;
  revokeLineage(lineage: Lineage): Promise<void>;
  /** Takes a key out: what it signed is no longer good. False when there is no such key. */
  retireKey(kid: string): boolean;
  /** Forgets credentials and counters, arms the fault rules anew and starts a new epoch. */
  reset(): void;
}

export interface TokenServiceOptions {
  readonly settings: Settings;
  readonly keyring: Keyring;
  /** The issuer while the settings fix none. */
  readonly defaultIssuer: () => string;
}

export function createTokenService(ports: Ports, options: TokenServiceOptions): TokenService {
  let settings = options.settings;
  const { keyring } = options;
  const { clock, stores, emit } = ports;
  const registry = createRegistry(ports.sha256, emit, () => clock.now());
  const throttle = createThrottle();
  const overFetch = createOverFetchDetector(stores, ports.sha256);
  const usedAssertions = createUsedAssertions();
  const faults = createFaults(emit);
  const issuer = () => settings.issuer ?? options.defaultIssuer();
  const tokens: Issuer = createIssuer(ports, registry, keyring, () => settings, issuer);

  /** Without an exchange to decide it, the audience is decided here, before its scopes are checked. */
  const authorizeMinting = (order: MintOrder): Authorized => {
    const standIn = registry.clients.get(order.client_id)?.default_audience ?? issuer();
    const decided = { ...order, audience: order.audience ?? standIn };
    return checkAuthorization(decided, registry, settings, issuer());
  };
  const openLineage = ({ client, user, audience, scope }: Authorized): Lineage =>
    tokens.openLineage({ client, user_sub: user.sub, audience, scope });

  const domain: Domain = {
    ports,
    registry,
    throttle,
    keyring,
    overFetch,
    tokens,
    accessTokens: createAccessTokenReader(ports, registry, keyring, tokens, issuer),
    usedAssertions,
    settings: () => settings,
    issuer,
  };

  const userAuthorization = createUserAuthorization(domain);

  registry.onRemoved((ended) => {
    const now = clock.now();
    const client_ids = new Set(ended.map(({ client_id }) => client_id));
    for (const { epoch, until, lineages } of tokens.issuedSoFar()) {
      if (until <= now) continue;
      for (const client_id of client_ids) {
        stores.denyClient({ epoch, client: ports.sha256(client_id) }, lineages, now, until);
      }
    }
    stores.endDeleted();
    throttle.forgetClients(client_ids);
    userAuthorization.forgetClients(client_ids);
    emit({ type: 'credentials' });
    emit({ type: 'counters_released' });
  });

  return {
    registry,
    throttle,
    faults,
    userAuthorization,
    keyring,
    tokens,
    ports,
    settings: () => settings,
    setSettings: (next) => {
      settings = next;
      emit({ type: 'settings' });
    },
    issuer,
    token: (request, judgement) => judgeTokenRequest(domain, request, judgement),
    revoke: (request, judgement) => revoke(domain, request, judgement),
    introspect: (request, judgement) => introspect(domain, request, judgement),
    userinfo: (request, judgement) => userinfo(domain, request, judgement),
    authorize: (order) => authorize(order, registry, settings, issuer(), tokens, clock.now()),
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
        by: null,
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
    retireKey: (kid) => {
      const retired = keyring.retire(kid);
      // Asking for a new token in the place of one that it signed is not needless.
      if (retired) overFetch.clear();
      return retired;
    },
    reset: () => {
      stores.clear();
      throttle.clear();
      overFetch.clear();
      userAuthorization.clear();
      usedAssertions.clear();
      faults.rearm();
      tokens.reset();
      emit({ type: 'reset' });
    },
  };
}
