// The descriptor of a grant. The token endpoint runs the steps that all grants share (checks 4 to 8), and then
// `redeem`.

import type { ProfileRules } from '../../checks/profiles.ts';
import type { Domain, Issuing } from '../../model/domain.ts';
import type { TokenRequest, TokenResponse } from '../../model/request.ts';
import type { Client, GrantType } from '../../records/schemas.ts';
import type { Evaluation } from '../../checks/trace.ts';

/** Everything a grant may use to check a request and redeem its credential. */
export interface GrantContext extends Issuing, Omit<Domain, keyof Issuing> {
  readonly request: TokenRequest;
  readonly evaluation: Evaluation;
  readonly client: Client;
  readonly rules: ProfileRules;
}

export interface Grant {
  readonly grant_type: GrantType;
  /** The documented body format (spec 4.1). */
  readonly content_type: 'json' | 'form';
  /** Whether only a client that can authenticate may use the grant, even if others are registered for it. */
  readonly confidential_only?: true;
  /** Returns whether the profile rejects every request with this grant. Absent if no profile does. */
  readonly rejectedBy?: (rules: ProfileRules) => boolean;
  /** The parameters that this grant reads besides grant_type, client_id and client_secret. */
  readonly parameters: readonly string[];
  /** The parameters that must be present and not empty under these rules. */
  required(rules: ProfileRules): readonly string[];
  /**
   * Makes checks 9 to 13, then issues tokens.
   * @throws OAuthError for every refusal; a rejected request consumes nothing
   */
  redeem(context: GrantContext): Promise<TokenResponse>;
}
