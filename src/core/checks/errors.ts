// Expected refusals: a closed union of reasons, each with its OAuth error. The texts are in refusals/, the statuses
// in server/reply.ts.

import { keptExcerpt } from '../collections/kept-text.ts';
import type { CheckId, ErrorCode, RefusalFacts, RefusalReason } from './refusals/index.ts';
import { REFUSALS } from './refusals/index.ts';
import type { Profile } from '../records/schemas.ts';

/** The maximum length of a redirect URI. Only the beginning of longer values is shown. */
export const MAX_SHOWN = 2048;

/** Shortens and copies the values of a request, because refusals are stored with their exchange. */
function keptFacts(facts: RefusalFacts): RefusalFacts {
  const kept = Object.entries(facts).map(([name, fact]: [string, unknown]) => [
    name,
    typeof fact === 'string' ? keptExcerpt(fact, MAX_SHOWN) : fact,
  ]);
  return Object.fromEntries(kept) as RefusalFacts;
}

/** The rejection of a request for an expected reason. */
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

  get check(): CheckId {
    return REFUSALS[this.reason].check;
  }

  /** The profile that accepts such a request; null if the current profile is not the cause. */
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
