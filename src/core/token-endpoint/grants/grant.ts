// What a grant is: one small descriptor. The service runs the steps that all grants share (checks 4
// to 8) and then hands over to `redeem` for the rest.

import type { OverFetchDetector } from '../../throttle/redundant-requests.ts';
import type { Ports } from '../../model/ports.ts';
import type { ProfileRules } from '../../checks/profiles.ts';
import type { Registry } from '../../registry/lists.ts';
import type { TokenRequest, TokenResponse } from '../../model/request.ts';
import type { Client, GrantType, Settings } from '../../records/schemas.ts';
import type { Keyring } from '../../issuing/keyring.ts';
import type { Throttle } from '../../throttle/counters.ts';
import type { Issuer } from '../../issuing/issuer.ts';
import type { Evaluation } from '../../checks/trace.ts';

/** Everything a grant may use to judge and redeem one request. */
export interface GrantContext {
  readonly request: TokenRequest;
  readonly evaluation: Evaluation;
  readonly client: Client;
  readonly rules: ProfileRules;
  readonly settings: Settings;
  readonly issuer: string;
  readonly ports: Ports;
  readonly registry: Registry;
  readonly throttle: Throttle;
  readonly tokens: Issuer;
  readonly keyring: Keyring;
  readonly overFetch: OverFetchDetector;
}

export interface Grant {
  readonly grant_type: GrantType;
  /** The body format the specification names (spec 4.1). */
  readonly content_type: 'json' | 'form';
  /** Whether only a client that can prove who it is may use it; whatever the client is registered for. */
  readonly confidential_only?: true;
  /** Every parameter this grant reads. */
  readonly parameters: readonly string[];
  /** Those that must be there and not empty, under these rules. */
  required(rules: ProfileRules): readonly string[];
  /**
   * Checks 9 to 13, then issues.
   * @throws OAuthError for every refusal; a refused request has consumed nothing
   */
  redeem(context: GrantContext): Promise<TokenResponse>;
}
