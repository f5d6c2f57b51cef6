// Expected refusals: a closed union of reasons, each with the OAuth error it travels under. What the
// wire says is in `refusals.ts`, what status it gets in server/reply.ts.

import type { CheckId } from './trace.ts';
import type { RefusalReason } from './refusals.ts';
import { REFUSALS } from './refusals.ts';

export type ErrorCode =
  | 'invalid_request'
  | 'invalid_client'
  | 'invalid_grant'
  | 'unauthorized_client'
  | 'unsupported_grant_type'
  | 'invalid_scope'
  | 'invalid_target'
  | 'too_many_requests'
  | 'method_not_allowed'
  | 'not_found'
  | 'temporarily_unavailable'
  | 'server_error';

/** What a refusal was about: values to be put into words when someone looks. Never a secret. */
export interface RefusalFacts {
  /** A parameter's name as the protocol knows it. */
  readonly field?: string;
  readonly expected?: string;
  readonly got?: string;
  /** Milliseconds of the sandbox clock. */
  readonly at?: number;
  readonly exchange?: number;
  readonly seconds?: number;
  readonly client?: string;
  readonly other_client?: string;
}

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
