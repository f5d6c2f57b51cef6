// What the parts of the domain receive of one another. service.ts assembles it.

import type { DpopNonces } from '../dpop/nonces.ts';
import type { AccessTokenReader } from '../presented/access-tokens.ts';
import type { OverFetchDetector } from '../throttle/redundant-requests.ts';
import type { Ports } from './ports.ts';
import type { Registry } from '../registry/lists.ts';
import type { Settings } from '../records/schemas.ts';
import type { DeviceAuthorizations } from '../device-authorization/device-authorizations.ts';
import type { ResolvedShape } from '../shape/resolve.ts';
import type { Keyring } from '../issuing/keyring.ts';
import type { Throttle } from '../throttle/throttle.ts';
import type { Issuer } from '../issuing/issuer.ts';
import type { UsedOnce } from '../collections/used-once.ts';

export interface Domain {
  readonly ports: Ports;
  readonly registry: Registry;
  readonly throttle: Throttle;
  readonly keyring: Keyring;
  readonly overFetch: OverFetchDetector;
  readonly tokens: Issuer;
  readonly accessTokens: AccessTokenReader;
  /** Assertions and DPoP proofs that were accepted and must not be accepted again. */
  readonly usedOnce: UsedOnce;
  readonly dpopNonces: DpopNonces;
  readonly devices: DeviceAuthorizations;
  readonly settings: () => Settings;
  /** The shape of the imitated provider; null for none. */
  readonly shape: () => ResolvedShape | null;
  /** The current issuer identifier. */
  readonly issuer: () => string;
  /** The address on which the server listens, whatever the issuer is. */
  readonly address: () => string;
  /** The URL below which the endpoints are, without a trailing slash. */
  readonly base: () => string;
}
