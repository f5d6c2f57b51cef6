// TokenService, the only object that other layers use. It knows what is registered, what was issued and what time it
// is, and evaluates requests. It does no I/O: clock, randomness, hash, signer and stores are passed to it as ports. It
// knows nothing about HTTP, files or pages.

import { createClientKeys } from './client-authentication/client-keys.ts';
import { createDpopNonces } from './dpop/nonces.ts';
import { createAccessTokenReader } from './presented/access-tokens.ts';
import { type AuthorizationOrder, authorize } from './authorization/direct-code.ts';
import {
  mint,
  type MintedTokens,
  type MintOrder,
  mintRefreshToken,
} from './authorization/direct-tokens.ts';
import { endCredential, endRemovedClients, revokeLineage } from './presented/direct-end.ts';
import {
  type CodeRecord,
  type Credential,
  type Lineage,
  type RefreshTokenRecord,
  stateOf,
} from './model/credentials.ts';
import {
  createDeviceAuthorizations,
  type DeviceAuthorization,
  type DeviceAuthorizations,
} from './device-authorization/device-authorizations.ts';
import {
  approveDevice,
  denyDevice,
  type DeviceApprovalOrder,
  type DeviceOrder,
  expireDevice,
  openDevice,
} from './device-authorization/direct-decision.ts';
import {
  authorizeDevice,
  type DeviceAuthorizationResponse,
} from './device-authorization/device-request.ts';
import {
  createDeviceVerification,
  type DeviceVerification,
} from './device-authorization/verification.ts';
import { type Domain, issuingNow } from './model/domain.ts';
import { createFaults, type Faults } from './faults/rules.ts';
import type { ForecastRecord } from './forecast.ts';
import type { Introspection, IntrospectionRequest } from './presented/introspection.ts';
import { createOverFetchDetector } from './throttle/redundant-requests.ts';
import type { Ports } from './model/ports.ts';
import { createClientDocuments } from './registry/client-documents.ts';
import { createRegistry, type Registry } from './registry/lists.ts';
import type { TokenRequest, TokenResponse } from './model/request.ts';
import { revoke } from './presented/revocation.ts';
import type { EndpointName } from './records/endpoints.ts';
import type { Client, Settings } from './records/schemas.ts';
import { addressOf, allAddresses, endpointBase, issuerOf } from './shape/address.ts';
import type { ResolvedShape } from './shape/resolve.ts';
import { createKeyring, type Keyring } from './issuing/keyring.ts';
import { createThrottle, type Throttle } from './throttle/throttle.ts';
import { createEpoch, type Epoch } from './issuing/epoch.ts';
import { evaluateTokenRequest } from './token-endpoint/token-request.ts';
import type { Evaluation } from './checks/trace.ts';
import { createUsedOnce } from './collections/used-once.ts';
import { createUserAuthorization, type UserAuthorization } from './authorization/endpoints.ts';
import { createSessions, type SessionClient, type Sessions } from './authorization/sessions.ts';
import type { ApiAnswer, ApiRequest } from './presented/api.ts';
import type { SignedAnswer } from './presented/signed-answer.ts';
import type { UserinfoClaims, UserinfoRequest } from './presented/userinfo.ts';

export interface TokenService {
  readonly registry: Registry;
  readonly throttle: Throttle;
  readonly faults: Faults;
  /** The rules of the client check that is active: tried before the fault rules, and never saved. */
  readonly misbehaviour: Faults;
  /** The authorization and logout endpoints. */
  readonly userAuthorization: UserAuthorization;
  /** Ends the sessions of a user in every browser. Returns the clients that the user had signed in to. */
  signOut(sub: string): readonly SessionClient[];
  readonly devices: DeviceAuthorizations;
  /** The page on which users approve devices. */
  readonly deviceVerification: DeviceVerification;
  readonly keyring: Keyring;
  readonly epoch: Epoch;
  readonly ports: Ports;
  /** Whether the client was registered by its own document, so that it is not saved. */
  isFetchedClient(client: Client): boolean;
  settings(): Settings;
  setSettings(settings: Settings): void;
  /** The shape of the imitated provider; null for none. */
  shape(): ResolvedShape | null;
  setShape(shape: ResolvedShape | null): void;
  /** Returns the current issuer identifier. */
  issuer(): string;
  /**
   * Returns the URL below which the endpoints are, without a trailing slash: the issuer, unless a shape gives it a
   * path.
   */
  base(): string;
  /** Returns the address of an endpoint in the metadata; null if the provider does not have the endpoint. */
  addressOf(endpoint: EndpointName): string | null;
  /** Whether the server can be reached from this machine only. */
  isLocal(): boolean;
  /** Returns the address of each endpoint, including those that the imitated provider does not have. */
  endpoints(): Readonly<Record<EndpointName, string>>;
  /**
   * Evaluates one request at the token endpoint, filling in the evaluation as it goes.
   * @throws OAuthError for every refusal (behaviour 3)
   */
  token(request: TokenRequest, evaluation: Evaluation): Promise<TokenResponse>;
  /** Opens a device authorization (RFC 8628 3.1). @throws OAuthError for every refusal */
  authorizeDevice(
    request: TokenRequest,
    evaluation: Evaluation,
  ): Promise<DeviceAuthorizationResponse>;
  /**
   * Opens a device authorization without a request.
   * @throws AuthorizationProblem naming the member and the rule
   */
  openDevice(order: DeviceOrder): DeviceAuthorization;
  /**
   * Approves a device without a page; returns false if it is no longer pending.
   * @throws AuthorizationProblem naming the member and the rule
   */
  approveDevice(device: DeviceAuthorization, order: DeviceApprovalOrder): boolean;
  /** Denies a device without a page; returns false if it is no longer pending. */
  denyDevice(device: DeviceAuthorization): boolean;
  /** Expires both codes of a device; returns false if it is neither pending nor approved. */
  expireDevice(device: DeviceAuthorization): boolean;
  /** Revokes a token for its client (RFC 7009). @throws OAuthError for every refusal */
  revoke(request: TokenRequest, evaluation: Evaluation): Promise<void>;
  /** Introspects a token for a client (RFC 7662). @throws OAuthError for every refusal */
  introspect(
    request: IntrospectionRequest,
    evaluation: Evaluation,
  ): Promise<Introspection | SignedAnswer>;
  /**
   * Returns the claims of the user of an access token (OpenID Connect Core 5.3). @throws OAuthError for every refusal
   */
  userinfo(
    request: UserinfoRequest,
    evaluation: Evaluation,
  ): Promise<UserinfoClaims | SignedAnswer>;
  /** Evaluates a request to a protected API, and returns the claims of its token. @throws OAuthError for every refusal */
  callApi(request: ApiRequest, evaluation: Evaluation): Promise<ApiAnswer>;
  /** @throws AuthorizationProblem naming the member and the rule */
  authorize(order: AuthorizationOrder): Promise<CodeRecord>;
  /**
   * Issues an access token and a refresh token without a code.
   * @throws AuthorizationProblem naming the member and the rule
   */
  mint(order: MintOrder): Promise<MintedTokens>;
  /** Opens a lineage with a live refresh token and without access token, to fill the sandbox with data. */
  issueRefreshToken(order: MintOrder): Promise<RefreshTokenRecord>;
  /**
   * Returns the state of a credential at this time. A self-contained access token is `inactive` while the key that
   * signed it is not in the keyring (behaviour 2.13), or the issuer is not the one that it names (behaviour 4.3).
   */
  stateOf(credential: Credential): Credential['state'] | 'inactive';
  /** Whether a credential would be accepted: it is issued or active. */
  isLive(credential: Credential): boolean;
  /** Ends a credential. Revoking a refresh token also revokes its lineage (RFC 7009 2.1). */
  end(credential: Credential, state: 'revoked' | 'expired'): Promise<void>;
  revokeLineage(lineage: Lineage): Promise<void>;
  /** Retires a key: tokens that it signed are no longer valid. Returns false if there is no such key. */
  retireKey(kid: string): boolean;
  /** Removes all credentials, resets the counters and fault rules, and starts a new epoch. */
  reset(): void;
  /** Returns the same service for one request, whose endpoints change nothing and record what they would change. */
  forecast(): Promise<{ readonly service: TokenService; readonly foreseen: ForecastRecord }>;
}

interface TokenServiceOptions {
  readonly settings: Settings;
  /** Returns the address on which the server listens, which is the issuer unless the settings have one. */
  readonly defaultIssuer: () => string;
  /** Whether the server can be reached from this machine only. */
  readonly isLocal: () => boolean;
}

type Endpoints = Pick<
  TokenService,
  | 'userAuthorization'
  | 'token'
  | 'authorizeDevice'
  | 'revoke'
  | 'introspect'
  | 'userinfo'
  | 'callApi'
>;

/** What the endpoints need to evaluate requests. Rules that few apps need are loaded on the first request. */
const endpointsOf = (domain: Domain, sessions: Sessions): Endpoints => ({
  userAuthorization: createUserAuthorization(domain, sessions),
  token: (request, evaluation) => evaluateTokenRequest(domain, request, evaluation),
  authorizeDevice: (request, evaluation) => authorizeDevice(domain, request, evaluation),
  revoke: (request, evaluation) => revoke(domain, request, evaluation),
  introspect: async (request, evaluation) => {
    const { introspect } = await import('./presented/introspection.ts');
    return introspect(domain, request, evaluation);
  },
  userinfo: async (request, evaluation) => {
    const { userinfo } = await import('./presented/userinfo.ts');
    return userinfo(domain, request, evaluation);
  },
  callApi: async (request, evaluation) => {
    const { callApi } = await import('./presented/api.ts');
    return callApi(domain, request, evaluation);
  },
});

/** Creates the parts, each with what it needs of the others. */
function createDomain(
  ports: Ports,
  { defaultIssuer }: TokenServiceOptions,
  settings: () => Settings,
  shape: () => ResolvedShape | null,
): Domain {
  const { clock, stores, sha256, emit } = ports;
  const issuer = () => issuerOf(settings().issuer, defaultIssuer(), shape());
  const registry = createRegistry(
    sha256,
    emit,
    () => clock.now(),
    issuer,
    () => settings().profile,
  );
  const keyring = createKeyring(ports, () => emit({ type: 'key_generated' }));
  const epoch = createEpoch(ports.random);
  return {
    ports,
    registry,
    throttle: createThrottle(),
    keyring,
    overFetch: createOverFetchDetector(stores, sha256),
    epoch,
    accessTokens: createAccessTokenReader(ports, registry, keyring, epoch, issuer),
    usedOnce: createUsedOnce(),
    dpopNonces: createDpopNonces(ports.random, sha256),
    clientKeys: createClientKeys(ports),
    clientDocuments: createClientDocuments(ports, registry, settings),
    devices: createDeviceAuthorizations(emit),
    settings,
    shape,
    issuer,
    address: defaultIssuer,
    base: () => endpointBase(settings().issuer, defaultIssuer(), shape()),
  };
}

export function createTokenService(ports: Ports, options: TokenServiceOptions): TokenService {
  let settings = options.settings;
  let shape: ResolvedShape | null = null;
  const { stores, emit } = ports;
  const domain = createDomain(
    ports,
    options,
    () => settings,
    () => shape,
  );
  const { registry, throttle, keyring, overFetch, epoch, devices, issuer, base } = domain;
  const faults = createFaults(emit);
  const misbehaviour = createFaults(() => {
    emit({ type: 'client_check' });
  });
  const sessions = createSessions(ports.random, () => settings.lifetimes.session);
  const endpoints = endpointsOf(domain, sessions);
  const { userAuthorization } = endpoints;
  const deviceVerification = createDeviceVerification(domain, sessions);
  registry.onRemoved((removed) => {
    endRemovedClients(domain, userAuthorization, removed);
  });

  const currentState: TokenService['stateOf'] = (credential) => {
    const state = stateOf(credential, ports.clock.now());
    if (credential.kind !== 'access_token' || credential.kid === null) return state;
    const isRecognised = keyring.has(credential.kid) && credential.iss === issuer();
    return state === 'active' && !isRecognised ? 'inactive' : state;
  };

  const changedFrom = (former: string) => {
    // Tokens of the former issuer are no longer valid, so requesting a new one is not redundant.
    if (issuer() !== former) overFetch.clear();
    emit({ type: 'settings' });
  };

  const service: TokenService = {
    registry,
    throttle,
    faults,
    misbehaviour,
    devices,
    deviceVerification,
    keyring,
    epoch,
    ports,
    isFetchedClient: domain.clientDocuments.isFetched,
    settings: () => settings,
    setSettings: (next) => {
      const former = issuer();
      settings = next;
      changedFrom(former);
    },
    shape: () => shape,
    setShape: (next) => {
      const former = issuer();
      shape = next;
      changedFrom(former);
    },
    issuer,
    base,
    addressOf: (endpoint) => addressOf(endpoint, base(), shape),
    isLocal: options.isLocal,
    endpoints: () => allAddresses(base(), shape),
    openDevice: (order) => openDevice(domain, order),
    expireDevice: (device) => expireDevice(domain, device),
    approveDevice: (device, order) => approveDevice(domain, device, order),
    denyDevice: (device) => denyDevice(domain, device),
    authorize: (order) => authorize(issuingNow(domain), order),
    mint: (order) => mint(issuingNow(domain), order),
    issueRefreshToken: (order) => mintRefreshToken(issuingNow(domain), order),
    stateOf: currentState,
    isLive: (credential) => {
      const state = currentState(credential);
      return state === 'issued' || state === 'active';
    },
    end: (credential, state) => endCredential(ports, credential, state),
    signOut: (sub) => {
      const clients = sessions.clientsOf(sub);
      sessions.endOfUser(sub);
      return clients;
    },
    revokeLineage: (lineage) => revokeLineage(ports, lineage),
    retireKey: (kid) => {
      const retired = keyring.retire(kid);
      // After its key was retired, requesting a new token is not redundant.
      if (retired) overFetch.clear();
      return retired;
    },
    reset: () => {
      stores.clear();
      throttle.clear();
      overFetch.clear();
      userAuthorization.clear();
      domain.usedOnce.clear();
      domain.dpopNonces.clear();
      domain.clientKeys.clear();
      devices.clear();
      deviceVerification.clear();
      faults.rearm();
      epoch.reset();
      emit({ type: 'reset' });
    },
    forecast: async () => {
      const { pushesWithoutEffects, sessionsWithoutEffects, withoutEffects } =
        await import('./forecast.ts');
      const { domain: unchanged, foreseen } = withoutEffects(domain);
      const own = endpointsOf(unchanged, sessionsWithoutEffects(sessions));
      const users = pushesWithoutEffects(own.userAuthorization, foreseen);
      return { service: { ...service, ...own, userAuthorization: users }, foreseen };
    },
    ...endpoints,
  };
  return service;
}
