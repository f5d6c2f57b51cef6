// Expected refusals: a closed union of reasons, each with the OAuth error it travels under. What the
// wire says is in `refusals.ts`, what status it gets in server/reply.ts.

import type { CheckId, ErrorCode, RefusalFacts, RefusalReason } from './refusals.ts';
import { REFUSALS } from './refusals.ts';

/** A request refused for an expected reason. */
export class OAuthError extends Error {
  readonly reason: RefusalReason;
  readonly facts: RefusalFacts;

  constructor(reason: RefusalReason, facts: RefusalFacts = {}) {
    super(reason);
    this.name = 'OAuthError';
    this.reason = reason;
    this.facts = facts;
  }

  /** The `error` of RFC 6749 5.2. */
  get code(): ErrorCode {
    return REFUSALS[this.reason].error;
  }

  /** The check of the trace that failed. */
  get check(): CheckId {
    return REFUSALS[this.reason].check;
  }

  /** The `error_description`: one sentence in ASCII that names the field and the rule. */
  get description(): string {
    const { description } = REFUSALS[this.reason];
    return typeof description === 'string' ? description : description(this.facts);
  }
}
