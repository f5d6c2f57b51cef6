// Expected refusals: a closed union of reasons, each with the OAuth error it travels under. What the
// wire says is in `refusals.ts`, what status it gets in server/reply.ts.

import { keptExcerpt } from '../collections/kept-text.ts';
import type { CheckId, ErrorCode, RefusalFacts, RefusalReason } from './refusals/index.ts';
import { REFUSALS } from './refusals/index.ts';
import type { Profile } from '../records/schemas.ts';

/** As long as a redirect URI: longer values are told by their beginning. */
export const MAX_SHOWN = 2048;

/** Refusals are kept with their exchange; what a request brought is cut, and its texts let go. */
function keptFacts(facts: RefusalFacts): RefusalFacts {
  const kept = Object.entries(facts).map(([name, fact]: [string, unknown]) => [
    name,
    typeof fact === 'string' ? keptExcerpt(fact, MAX_SHOWN) : fact,
  ]);
  return Object.fromEntries(kept) as RefusalFacts;
}

/** A request refused for an expected reason. */
export class OAuthError extends Error {
  readonly reason: RefusalReason;
  readonly facts: RefusalFacts;

  constructor(reason: RefusalReason, facts: RefusalFacts = {}) {
    super(reason);
    this.name = 'OAuthError';
    this.reason = reason;
    this.facts = keptFacts(facts);
  }

  /** The `error` of RFC 6749 5.2. */
  get code(): ErrorCode {
    return REFUSALS[this.reason].error;
  }

  /** The check of the trace that failed. */
  get check(): CheckId {
    return REFUSALS[this.reason].check;
  }

  /** The profile that accepts such a request; null where the profile in use is not the cause. */
  get acceptedBy(): Profile | null {
    const { accepted_by = null } = REFUSALS[this.reason];
    return typeof accepted_by === 'function' ? accepted_by(this.facts) : accepted_by;
  }

  /** The `error_description`: one sentence in ASCII that names the field and the rule. */
  get description(): string {
    const { description } = REFUSALS[this.reason];
    return typeof description === 'string' ? description : description(this.facts);
  }
}
