// What the parts of the domain are handed of one another, put together by service.ts.

import type { AccessTokenReader } from './access-tokens.ts';
import type { OverFetchDetector } from './over-fetch.ts';
import type { Ports } from './ports.ts';
import type { Registry } from './registry.ts';
import type { Settings } from './schemas.ts';
import type { Keyring } from './signing.ts';
import type { Throttle } from './throttle.ts';
import type { Issuer } from './tokens.ts';
import type { UsedAssertions } from './used-assertions.ts';

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
