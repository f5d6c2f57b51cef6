// TokenService: the one object outsiders hold. It knows what is registered, what was issued and what
// time it is, and answers token requests; it knows nothing of HTTP, files or pages.

import { createAccessTokenReader } from './presented/access-tokens.ts';
import type { AuthorizationOrder } from './authorization/authorize.ts';
import { authorize } from './authorization/authorize.ts';
import type { MintedTokens, MintOrder } from './authorization/direct-issue.ts';
import { issueRefreshToken, mint } from './authorization/direct-issue.ts';
import { endCredential, revokeLineage } from './presented/direct-end.ts';
import { endRemovedClients } from './registry/removed-clients.ts';
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
import { evaluateTokenRequest } from './token-endpoint/token-request.ts';
import { createIssuer } from './issuing/issuer.ts';
import type { Evaluation } from './checks/trace.ts';
import { createUsedAssertions } from './client-authentication/used-assertions.ts';
import type { UserAuthorization } from './authorization/endpoints.ts';
import { createUserAuthorization } from './authorization/endpoints.ts';
import type { UserinfoClaims, UserinfoRequest } from './presented/userinfo.ts';
import { userinfo } from './presented/userinfo.ts';

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
   * Judges one request at the token endpoint, filling in the evaluation as it goes.
   * @throws OAuthError for every refusal (behaviour 3)
   */
  token(request: TokenRequest, evaluation: Evaluation): Promise<TokenResponse>;
  /** Revokes a token for its client (RFC 7009). @throws OAuthError for every refusal */
  revoke(request: TokenRequest, evaluation: Evaluation): Promise<void>;
  /** Tells a client about a token (RFC 7662). @throws OAuthError for every refusal */
  introspect(request: IntrospectionRequest, evaluation: Evaluation): Promise<Introspection>;
  /** Tells a bearer about its user (OpenID Connect Core 5.3). @throws OAuthError for every refusal */
  userinfo(request: UserinfoRequest, evaluation: Evaluation): Promise<UserinfoClaims>;
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

/** The parts, each handed what it needs of the others. */
function createDomain(
  ports: Ports,
  { keyring, defaultIssuer }: TokenServiceOptions,
  settings: () => Settings,
): Domain {
  const { clock, stores, sha256, emit } = ports;
  const registry = createRegistry(sha256, emit, () => clock.now());
  const issuer = () => settings().issuer ?? defaultIssuer();
  const tokens = createIssuer(ports, registry, keyring, settings, issuer);
  return {
    ports,
    registry,
    throttle: createThrottle(),
    keyring,
    overFetch: createOverFetchDetector(stores, sha256),
    tokens,
    accessTokens: createAccessTokenReader(ports, registry, keyring, tokens, issuer),
    usedAssertions: createUsedAssertions(),
    settings,
    issuer,
  };
}

export function createTokenService(ports: Ports, options: TokenServiceOptions): TokenService {
  let settings = options.settings;
  const { clock, stores, emit } = ports;
  const domain = createDomain(ports, options, () => settings);
  const { registry, throttle, keyring, overFetch, tokens, usedAssertions, issuer } = domain;
  const faults = createFaults(emit);
  const userAuthorization = createUserAuthorization(domain);
  registry.onRemoved((removed) => {
    endRemovedClients(domain, userAuthorization, removed);
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
    token: (request, evaluation) => evaluateTokenRequest(domain, request, evaluation),
    revoke: (request, evaluation) => revoke(domain, request, evaluation),
    introspect: (request, evaluation) => introspect(domain, request, evaluation),
    userinfo: (request, evaluation) => userinfo(domain, request, evaluation),
    authorize: (order) => authorize(order, registry, settings, issuer(), tokens, clock.now()),
    mint: (order) => mint(domain, order),
    issueRefreshToken: (order) => issueRefreshToken(domain, order),
    end: (credential, state) => endCredential(ports, credential, state),
    revokeLineage: (lineage) => revokeLineage(ports, lineage),
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
