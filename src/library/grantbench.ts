/// <reference lib="esnext.disposable" preserve="true" />
// The interface of a running sandbox for tests. Types only: this is published and must not import the engine.

import type { ControlClient } from '../control/contract.ts';
import type { FaultState } from '../control/fault-schemas.ts';
import type {
  CheckResult,
  ClientCase,
  ClockState,
  Exchange,
  ExchangeSummary,
} from '../control/schemas.ts';
import type { AnsweredRequest } from './explain.ts';
import type { FaultOrder } from './fault-order.ts';

type Codes = ControlClient['codes'];
type Tokens = ControlClient['tokens'];

/** The configuration for an app under test. */
export interface SandboxClient {
  readonly client_id: string;
  /** Empty for a client without a secret. */
  readonly client_secret: string;
  /** The first redirect URI; empty for a client without one. */
  readonly redirect_uri: string;
}

/** All members are optional; the defaults are the first client, its first redirect URI and the first user. */
export type CodeOrder = Partial<Parameters<Codes['create']>[0]>;
export type IssuedCode = Awaited<ReturnType<Codes['create']>>;
export type TokenOrder = Partial<Parameters<Tokens['mint']>[0]>;
export type IssuedTokens = Awaited<ReturnType<Tokens['mint']>>;
export type ExchangeFilter = NonNullable<Parameters<ControlClient['exchanges']['list']>[0]>;

export interface ThrottleLimits {
  /** Requests allowed in a window, for each presented credential. */
  readonly limit: number;
  /** Length of a window in seconds; 60 by default. */
  readonly window_seconds?: number | undefined;
}

/** A login of the app under test: fulfilled when the user is signed in, rejected when not. */
export type Login = () => unknown;

export interface Grantbench extends AsyncDisposable {
  /** `http://localhost:<port>`, unless the settings set an issuer, which may end with a slash. */
  readonly issuer: string;
  /** The URL of the token endpoint. */
  readonly tokenEndpoint: string;
  /** The URL of the authorization endpoint; with `settings.authorize: 'auto'`, it shows no page. */
  readonly authorizationEndpoint: string;
  /** The certificate to trust, as PEM text; null over HTTP. */
  readonly certificate: string | null;
  /** The first registered client. @throws Error if there is none */
  readonly client: SandboxClient;
  /**
   * Issues an authorization code, as if a user had consented.
   * @example const { code } = await grantbench.issueCode({ scope: 'openid' });
   */
  readonly issueCode: (order?: CodeOrder) => Promise<IssuedCode>;
  /**
   * Issues an access token and a refresh token without a code; no exchange is recorded.
   * @example const { access_token } = await grantbench.issueTokens({ audience: 'https://orders.example/api' });
   */
  readonly issueTokens: (order?: TokenOrder) => Promise<IssuedTokens>;
  /**
   * Moves the sandbox clock forward by this number of seconds, so that codes and tokens expire.
   * @example await grantbench.advance(86_400);
   */
  readonly advance: (seconds: number) => Promise<ClockState>;
  /** Freezes the sandbox clock; `advance` still moves it. */
  readonly freeze: () => Promise<ClockState>;
  /**
   * Makes token requests fail.
   * @example await grantbench.fail({ times: 2, status: 429 });
   * @example await grantbench.fail('lost');
   * @throws TypeError for an invalid fault
   */
  readonly fail: (order: FaultOrder) => Promise<FaultState>;
  /**
   * Sets the throttle limit for presented credentials, or switches throttling off.
   * @example await grantbench.throttle({ limit: 2, window_seconds: 10 });
   */
  readonly throttle: (limits: ThrottleLimits | 'off') => Promise<void>;
  /**
   * Returns exchanges, newest first, at most 1,000 or `limit`. `wait_seconds` waits for the first one.
   * @example const rejected = await grantbench.exchanges({ error: 'invalid_grant' });
   */
  readonly exchanges: (filter?: ExchangeFilter) => Promise<ExchangeSummary[]>;
  /** Returns the newest exchange with its trace and secrets redacted; null before the first one. */
  readonly lastExchange: () => Promise<Exchange | null>;
  /**
   * Returns one line with request, response and cause. Accepts a response of any HTTP client (with the
   * `Grantbench-Exchange` header), or an exchange number.
   * @example expect(response.status, await grantbench.explain(response)).toBe(200);
   * @throws TypeError for a response without that header
   */
  readonly explain: (answer: AnsweredRequest) => Promise<string>;
  /**
   * Fails if the app requested a token while its previous token was still valid.
   * @throws AssertionError of `node:assert`, which names the exchanges
   */
  readonly expectNoOverFetch: () => Promise<void>;
  /** Returns the cases of a client check: what a server can do wrong during an app's login. */
  readonly cases: () => Promise<ClientCase[]>;
  /**
   * Runs the login under the misbehaviour of a case, and again without it if the result depends on that.
   * @example const { result } = await grantbench.check('id-token-aud-other', () => signIn(grantbench.issuer));
   */
  readonly check: (id: string, login: Login) => Promise<CheckResult>;
  /**
   * The same, but fails if the app behaves as no correct client does.
   * @example for (const { id, title } of await grantbench.cases()) test(title, () => grantbench.expectSafe(id, login));
   * @throws AssertionError of `node:assert`, with what to check in the app
   */
  readonly expectSafe: (id: string, login: Login) => Promise<CheckResult>;
  /** Deletes codes, tokens, exchanges and faults, resets counters, and restores the initial settings and clock. */
  readonly reset: () => Promise<void>;
  /** All control operations, typed and without a socket; loaded on the first call. */
  readonly control: ControlClient;
  /** Finishes the requests in flight and frees the port; other calls are rejected from then on. May be called more than once. */
  readonly close: () => Promise<void>;
}
