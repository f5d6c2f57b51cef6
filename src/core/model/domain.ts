// What the parts of the domain receive of one another. service.ts assembles it.

import type { ClientKeys } from '../client-authentication/client-keys.ts';
import type { DpopNonces } from '../dpop/nonces.ts';
import type { AccessTokenReader } from '../presented/access-tokens.ts';
import type { OverFetchDetector } from '../throttle/redundant-requests.ts';
import type { Ports } from './ports.ts';
import type { Registry } from '../registry/lists.ts';
import type { Client, Settings } from '../records/schemas.ts';
import type { DeviceAuthorizations } from '../device-authorization/device-authorizations.ts';
import type { ResolvedShape } from '../shape/resolve.ts';
import type { Keyring } from '../issuing/keyring.ts';
import type { Throttle } from '../throttle/throttle.ts';
import type { Epoch } from '../issuing/epoch.ts';
import type { UsedOnce } from '../collections/used-once.ts';

/** The clients whose client_id is the URL of a document with their metadata (behaviour 20.5). */
export interface ClientDocuments {
  /**
   * Fetches the document of a client, if its URL has one of the origins in the settings, and registers the client. A
   * client that was registered otherwise is left as it is.
   * @throws OAuthError if the document cannot be used
   */
  fetch(client_id: string | undefined): Promise<void>;
  /** Whether the record is that of a fetched document, which is not saved. */
  isFetched(client: Client): boolean;
}

export interface Domain {
  readonly ports: Ports;
  readonly registry: Registry;
  readonly throttle: Throttle;
  readonly keyring: Keyring;
  readonly overFetch: OverFetchDetector;
  readonly epoch: Epoch;
  readonly accessTokens: AccessTokenReader;
  /** Assertions and DPoP proofs that were accepted and must not be accepted again. */
  readonly usedOnce: UsedOnce;
  readonly dpopNonces: DpopNonces;
  /** The public keys of clients, cached if they are fetched. */
  readonly clientKeys: ClientKeys;
  readonly clientDocuments: ClientDocuments;
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

/** What issuing is handed; what can be set meanwhile is as it was when the request reached its grant. */
export interface Issuing extends Pick<Domain, 'ports' | 'registry' | 'keyring' | 'epoch'> {
  readonly settings: Settings;
  readonly shape: ResolvedShape | null;
  readonly issuer: string;
}

/** For what is issued without a grant: with the settings of this moment. */
export const issuingNow = (domain: Pick<Domain, keyof Issuing>): Issuing => ({
  ports: domain.ports,
  registry: domain.registry,
  keyring: domain.keyring,
  epoch: domain.epoch,
  settings: domain.settings(),
  shape: domain.shape(),
  issuer: domain.issuer(),
});
