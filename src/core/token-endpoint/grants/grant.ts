// What a grant is: one small descriptor. The service runs the steps that all grants share (checks 4
// to 8) and then hands over to `redeem` for the rest.

import type { ProfileRules } from '../../checks/profiles.ts';
import type { RefusalReason } from '../../checks/refusals/index.ts';
import type { Domain } from '../../model/domain.ts';
import type { TokenRequest, TokenResponse } from '../../model/request.ts';
import type { Client, GrantType, Settings } from '../../records/schemas.ts';
import type { ResolvedShape } from '../../shape/resolve.ts';
import type { Evaluation } from '../../checks/trace.ts';

/** Everything a grant may use to check a request and redeem its credential. */
export interface GrantContext extends Omit<Domain, 'settings' | 'shape' | 'issuer'> {
  readonly request: TokenRequest;
  readonly evaluation: Evaluation;
  readonly client: Client;
  readonly rules: ProfileRules;
  /** As they were when the request reached the grant. */
  readonly settings: Settings;
  readonly shape: ResolvedShape | null;
  readonly issuer: string;
}

export interface Grant {
  readonly grant_type: GrantType;
  /** The body format the specification names (spec 4.1). */
  readonly content_type: 'json' | 'form';
  /** Whether only a client that can prove who it is may use it; whatever the client is registered for. */
  readonly confidential_only?: true;
  /** Why these rules reject every request with it; null if they do not. Left out: no rules do. */
  readonly refusedBy?: (rules: ProfileRules) => RefusalReason | null;
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
