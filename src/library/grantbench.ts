/// <reference lib="esnext.disposable" preserve="true" />
// A running sandbox as a test author holds it: each thing a test wants is one line. Types only: this is
// what is published, and it must not draw the engine after it.

import type { ControlClient } from '../control/client.ts';
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

/** What an app under test is configured with. */
export interface SandboxClient {
  readonly client_id: string;
  /** Empty for a client without one. */
  readonly client_secret: string;
  /** Its first one; empty for a client without any. */
  readonly redirect_uri: string;
}

/** Everything may be left out: the first client, its first redirect URI, the first user. */
export type CodeOrder = Partial<Parameters<Codes['create']>[0]>;
export type IssuedCode = Awaited<ReturnType<Codes['create']>>;
export type TokenOrder = Partial<Parameters<Tokens['mint']>[0]>;
export type IssuedTokens = Awaited<ReturnType<Tokens['mint']>>;
export type ExchangeFilter = NonNullable<Parameters<ControlClient['exchanges']['list']>[0]>;

export interface ThrottleLimits {
  /** Requests per window and presented credential. */
  readonly limit: number;
  /** 60 unless it was changed. */
  readonly window_seconds?: number | undefined;
}

/** A login of the app under test: fulfilled when the user is signed in, rejected when not. */
export type Login = () => unknown;

export interface Grantbench extends AsyncDisposable {
  /** `http://localhost:<port>`, unless the settings fix another one, which may end with a slash. */
  readonly issuer: string;
  /** The address to exchange codes and refresh tokens at. */
  readonly tokenEndpoint: string;
  /** The address to send a browser to; `settings.authorize: 'auto'` asks nobody. */
  readonly authorizationEndpoint: string;
  /** The certificate to trust, as PEM text; null over HTTP. */
  readonly certificate: string | null;
  /** The first registered client. @throws Error when there is none */
  readonly client: SandboxClient;
  /**
   * An authorization code, as if a user had just agreed.
   * @example const { code } = await grantbench.issueCode({ scope: 'openid' });
   */
  readonly issueCode: (order?: CodeOrder) => Promise<IssuedCode>;
  /**
   * An access token and a refresh token without a code; no exchange is made of it.
   * @example const { access_token } = await grantbench.issueTokens({ audience: 'https://orders.example/api' });
   */
  readonly issueTokens: (order?: TokenOrder) => Promise<IssuedTokens>;
  /**
   * Moves the sandbox's clock forward by this many seconds: what would have expired has.
   * @example await grantbench.advance(86_400);
   */
  readonly advance: (seconds: number) => Promise<ClockState>;
  /** Stops the sandbox's clock; `advance` still moves it. */
  readonly freeze: () => Promise<ClockState>;
  /**
   * Lets token requests fail.
   * @example await grantbench.fail({ times: 2, status: 429 });
   * @example await grantbench.fail('lost');
   * @throws TypeError when it names nothing that could go wrong
   */
  readonly fail: (order: FaultOrder) => Promise<FaultState>;
  /**
   * Sets how often a credential may be presented, or switches throttling off.
   * @example await grantbench.throttle({ limit: 2, window_seconds: 10 });
   */
  readonly throttle: (limits: ThrottleLimits | 'off') => Promise<void>;
  /**
   * What happened, newest first: at most 1,000, unless `limit` says fewer. `wait_seconds` waits for the first.
   * @example const refused = await grantbench.exchanges({ error: 'invalid_grant' });
   */
  readonly exchanges: (filter?: ExchangeFilter) => Promise<ExchangeSummary[]>;
  /** The newest exchange with its trace, secrets redacted; null before the first one. */
  readonly lastExchange: () => Promise<Exchange | null>;
  /**
   * One line: what was asked, what was answered and why. Takes the answer of any HTTP client (by its
   * `Grantbench-Exchange` header), or an exchange's number.
   * @example expect(response.status, await grantbench.explain(response)).toBe(200);
   * @throws TypeError for an answer without that header
   */
  readonly explain: (answer: AnsweredRequest) => Promise<string>;
  /**
   * Fails when the app fetched a token while it still had a good one.
   * @throws AssertionError of `node:assert`, which names the exchanges
   */
  readonly expectNoOverFetch: () => Promise<void>;
  /** The cases of a client check: what a server can do wrong at an app's login. */
  readonly cases: () => Promise<ClientCase[]>;
  /**
   * Runs the login under the misbehaviour of a case, and again without it where that decides.
   * @example const { result } = await grantbench.check('id-token-aud-other', () => signIn(grantbench.issuer));
   */
  readonly check: (id: string, login: Login) => Promise<CheckResult>;
  /**
   * The same, and fails when the app behaves as no correct client does.
   * @example for (const { id, title } of await grantbench.cases()) test(title, () => grantbench.expectSafe(id, login));
   * @throws AssertionError of `node:assert`, with what to check in the app
   */
  readonly expectSafe: (id: string, login: Login) => Promise<CheckResult>;
  /** Empties codes, tokens, exchanges and counters, removes the faults, returns to the first settings and clock. */
  readonly reset: () => Promise<void>;
  /** Every control operation, typed, without a socket between; loaded at the first call. */
  readonly control: ControlClient;
  /** Finishes the requests in flight and frees the port. May be called twice. */
  readonly close: () => Promise<void>;
}
