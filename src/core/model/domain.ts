// What the parts of the domain are handed of one another, put together by service.ts.

import type { AccessTokenReader } from '../presented/access-tokens.ts';
import type { OverFetchDetector } from '../throttle/redundant-requests.ts';
import type { Ports } from './ports.ts';
import type { Registry } from '../registry/lists.ts';
import type { Settings } from '../records/schemas.ts';
import type { Keyring } from '../issuing/keyring.ts';
import type { Throttle } from '../throttle/counters.ts';
import type { Issuer } from '../issuing/issuer.ts';
import type { UsedAssertions } from '../client-authentication/used-assertions.ts';

export interface Domain {
  readonly ports: Ports;
  readonly registry: Registry;
  readonly throttle: Throttle;
  readonly keyring: Keyring;
  readonly overFetch: OverFetchDetector;
  readonly tokens: Issuer;
  readonly accessTokens: AccessTokenReader;
  /** Assertions that have proven a client and cannot do it again. */
  readonly usedAssertions: UsedAssertions;
  readonly settings: () => Settings;
  /** The issuer identifier now. */
  readonly issuer: () => string;
}
