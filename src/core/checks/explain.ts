// An evaluation in words, made when someone looks: rules with their sections, the cause of a refusal,
// deviation notes and advisories. The page, the log and the control API all speak from here.

import { differsAt, REFUSALS } from './refusals/index.ts';
import type { CheckId, RefusalReason } from './refusals/index.ts';
import type { OAuthError } from './errors.ts';
import { outsideRule, rulesOf } from './rules.ts';
import { MEDIA_TYPES } from '../model/request.ts';
import type {
  AdvisoryRecord,
  CheckDetail,
  DeviationId,
  DeviationRecord,
  Evaluation,
} from './trace.ts';

export interface CheckWords {
  id: CheckId;
  rule: string;
  section: string;
  expected: string | null;
  got: string | null;
  verdict: 'passed' | 'failed' | 'not_reached';
  note: string | null;
}

/** A check that passed without a word of its own: what it compared, as the evaluation knows it. */
function plainPass(id: CheckId, evaluation: Evaluation): CheckDetail {
  const { throttle, grant_type, client_id, lineage, content_type } = evaluation;
  const got: Partial<Record<CheckId, string | null | undefined>> = {
    method: 'POST',
    content_type: content_type === null ? null : MEDIA_TYPES[content_type],
    grant_type,
    grant_content_type: content_type === null ? null : MEDIA_TYPES[content_type],
    authorization_header: 'in the body',
    client_id,
    credential_client: client_id,
    audience: lineage?.audience,
    scope: lineage?.scope === '' ? 'none' : lineage?.scope,
  };
  const counted =
    throttle === null
      ? null
      : `${throttle.used} of ${throttle.limit} in this window of ${throttle.window_seconds} s`;
  const value = got[id];
  return {
    id,
    passed: true,
    ...(value ? { got: value } : {}),
    ...(id === 'throttle' && counted !== null ? { note: counted } : {}),
  };
}

/**
 * Every check of the evaluation in order, those not reached included.
 * @param rotation whether refresh tokens are replaced; without it nothing is consumed by a refresh
 */
export function describeChecks(evaluation: Evaluation, rotation: boolean): CheckWords[] {
  const done = new Map(
    evaluation.checks.map((record) => {
      const check = typeof record === 'string' ? plainPass(record, evaluation) : record;
      return [check.id, check];
    }),
  );
  const consumes = evaluation.grant_type !== 'refresh_token' || rotation;
  const ordered = rulesOf(evaluation).filter(
    ([id, { sometimes }]) =>
      done.has(id) || !(sometimes === true || (id === 'consume' && !consumes)),
  );
  const words = ordered.map(([id, { rule: text, section }]): CheckWords => {
    const check = done.get(id);
    done.delete(id);
    return {
      id,
      rule: text,
      section,
      expected: check?.expected ?? null,
      got: check?.got ?? null,
      verdict: check === undefined ? 'not_reached' : check.passed ? 'passed' : 'failed',
      note: check?.note ?? null,
    };
  });
  for (const check of done.values()) {
    const outside = outsideRule(check.id);
    if (outside === undefined) continue;
    words.push({
      id: check.id,
      ...outside,
      expected: check.expected ?? null,
      got: check.got ?? null,
      verdict: check.passed ? 'passed' : 'failed',
      note: check.note ?? null,
    });
  }
  return words;
}

export interface CauseWords {
  check: CheckId;
  summary: string;
  detail: string | null;
  advice: string | null;
  differs_at: number | null;
}

/** Returns why the request was rejected, with the details that only the trace shows. */
export function describeCause(refusal: OAuthError): CauseWords {
  const { check, summary, detail, advice, compared_with } = REFUSALS[refusal.reason];
  const say = (words: typeof summary) => (typeof words === 'string' ? words : words(refusal.facts));
  const { expected, got } = refusal.facts;
  const compared = compared_with !== undefined && expected !== undefined && got !== undefined;
  return {
    check,
    summary: say(summary),
    detail: detail?.(refusal.facts) ?? null,
    advice: advice === undefined ? null : say(advice),
    differs_at: compared ? differsAt(expected, got) : null,
  };
}

/** Returns the cause in a few words, for one line of a table or a log. */
export function shortCause(refusal: OAuthError): string {
  const { summary, detail } = describeCause(refusal);
  return detail ?? summary.replace(/\.$/, '');
}

interface DeviationWords {
  readonly text: (about: string) => string;
  readonly section: string;
  /** The reason for which `strict` rejects it; null when `strict` only notes it, too. */
  readonly strict: RefusalReason | null;
}

const DEVIATIONS: Readonly<Record<DeviationId, DeviationWords>> = {
  other_content_type: {
    text: (about) => `The body was sent as ${about}, not in the documented format.`,
    section: 'spec 4.1',
    strict: 'content_type_not_documented',
  },
  audience_defaulted: {
    text: (about) => `No audience was sent; ${about} was used.`,
    section: 'spec 4.1.1',
    strict: 'parameter_missing',
  },
  resource_as_audience: {
    text: () => 'No audience was sent; resource (RFC 8707) was used instead.',
    section: 'spec 4.1.1',
    strict: 'parameter_missing',
  },
  redirect_uri_omitted: {
    text: () => 'No redirect_uri was sent; the authorization request had none either.',
    section: 'spec 4.1.1',
    strict: 'parameter_missing',
  },
  basic_accepted: {
    text: () => 'The client authenticated with HTTP Basic instead of body fields.',
    section: 'spec 5.1',
    strict: 'header_not_allowed',
  },
  assertion_accepted: {
    text: () => 'The client authenticated with a signed assertion instead of body fields.',
    section: 'spec 5.1',
    strict: 'client_assertion_not_allowed',
  },
  authorization_header_ignored: {
    text: () =>
      'An Authorization header was sent in addition to credentials in the body; it was ignored.',
    section: 'spec 5.1',
    strict: 'header_not_allowed',
  },
  auth_method_mismatch: {
    text: (about) => `The client is registered for an authentication method other than ${about}.`,
    section: 'RFC 7591 2',
    strict: null,
  },
  unknown_parameters: {
    text: (about) => `Unrecognized parameters were ignored: ${about}.`,
    section: 'RFC 6749 3.2',
    strict: null,
  },
  query_credentials: {
    text: (about) =>
      `The query string contained ${about}, which was ignored: query strings end up in logs.`,
    section: 'RFC 6749 2.3.1',
    strict: 'query_credentials',
  },
  unknown_scope_dropped: {
    text: (about) => `Scopes that are not defined for the audience were dropped: ${about}.`,
    section: 'behaviour 1.11',
    strict: 'scope_unknown',
  },
  public_client: {
    text: () =>
      'The client has no secret: only PKCE protects it, and only when a code is exchanged.',
    section: 'spec 4.1.1',
    strict: 'client_secret_missing',
  },
  metadata_ignored: {
    text: (about) => `Unsupported client metadata was ignored: ${about}.`,
    section: 'RFC 7591 2',
    strict: null,
  },
  auth_method_unusable: {
    text: (about) =>
      `The active profile does not accept ${about}: requests that authenticate this way are rejected.`,
    section: 'spec 5.1',
    strict: null,
  },
  no_id_token: {
    text: () => 'No id_token was issued: HS256 requires a client_secret of at least 32 bytes.',
    section: 'behaviour 2.14',
    strict: null,
  },
  hint_unknown: {
    text: () => 'The token_type_hint is not a supported token type and was ignored.',
    section: 'RFC 7009 2.1',
    strict: null,
  },
  hint_wrong: {
    text: (about) => `The token_type_hint is wrong: the token is ${about}.`,
    section: 'RFC 7009 2.1',
    strict: null,
  },
  other_clients_token: {
    text: (about) => `The token was issued to another client: ${about}.`,
    section: 'RFC 7662 4',
    strict: null,
  },
  signed_answer_wanted: {
    text: () =>
      'A signed response was requested; this service supports plain JSON introspection responses only.',
    section: 'RFC 9701 4',
    strict: null,
  },
  openid_missing: {
    text: () =>
      'The access token does not have the scope openid, which a UserInfo request requires.',
    section: 'OpenID Connect Core 5.3',
    strict: 'openid_missing',
  },
  id_token_hint_unverified: {
    text: () =>
      'No current key can verify the id_token_hint; it was accepted without verification.',
    section: 'OpenID Connect Core 3.1.2.2',
    strict: null,
  },
  no_refresh_token: {
    text: () => 'No refresh token was issued: the client may not use the refresh_token grant.',
    section: 'behaviour 2.2',
    strict: null,
  },
};

export interface DeviationNote {
  id: DeviationId;
  text: string;
  section: string;
  /** The reason for which `strict` would reject it; null when it would not. */
  strict: RefusalReason | null;
}

export function describeDeviation({ id, about }: DeviationRecord): DeviationNote {
  const words = DEVIATIONS[id];
  return { id, text: words.text(about ?? ''), section: words.section, strict: words.strict };
}

export function describeAdvisory(advisory: AdvisoryRecord) {
  const left = `${advisory.seconds_left} s`;
  return advisory.kind === 'over_fetch'
    ? {
        ...advisory,
        text: `Redundant token request: the previous access token for the same audience and scope was still valid for ${left}.`,
        section: 'spec 1.4, 8.2',
      }
    : {
        ...advisory,
        text: `Unnecessary re-authorization: the previous access token of this user and client was still valid for ${left}.`,
        section: 'spec 1.4',
      };
}
