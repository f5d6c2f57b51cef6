// Describes an evaluation when someone views it: its checks with their rules and sections, and its advisories.

import { durationInWords } from '../../words.ts';
import type { CheckId } from './refusals/index.ts';
import { toleratedChecks } from './deviations.ts';
import { ruleAt, rulesOf } from './rules.ts';
import { MEDIA_TYPES } from '../model/request.ts';
import type { AdvisoryRecord, CheckDetail, Evaluation } from './trace.ts';

export interface CheckWords {
  id: CheckId;
  rule: string;
  section: string;
  expected: string | null;
  got: string | null;
  verdict: 'passed' | 'failed' | 'not_reached';
  /** Whether it passed only because the profile accepts what strict rejects, which the deviation notes describe. */
  tolerated: boolean;
  note: string | null;
}

/** Returns the details of a check that passed without recording any, taken from the evaluation. */
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
      : `${throttle.used} of ${throttle.limit} in this window of ${durationInWords(throttle.window_seconds)}`;
  const value = got[id];
  return {
    id,
    passed: true,
    ...(value ? { got: value } : {}),
    ...(id === 'throttle' && counted !== null ? { note: counted } : {}),
  };
}

/**
 * Returns every check of the evaluation in order, including those that were not reached.
 * @param rotation whether refresh tokens are rotated; otherwise a refresh consumes nothing
 */
export function describeChecks(evaluation: Evaluation, rotation: boolean): CheckWords[] {
  const done = new Map(
    evaluation.checks.map((record) => {
      const check = typeof record === 'string' ? plainPass(record, evaluation) : record;
      return [check.id, check];
    }),
  );
  const tolerated = toleratedChecks(evaluation);
  const consumes = evaluation.grant_type !== 'refresh_token' || rotation;
  const usual = rulesOf(evaluation);
  const ordered = usual.filter(
    ([id, { sometimes }]) =>
      done.has(id) || !(sometimes === true || (id === 'consume' && !consumes)),
  );
  const others = [...done.keys()].flatMap((id) => {
    const outside = usual.some(([other]) => other === id) ? undefined : ruleAt(evaluation, id);
    return outside === undefined ? [] : [[id, outside] as const];
  });
  return [...ordered, ...others].map(([id, { rule, section }]) => {
    const check = done.get(id);
    return {
      id,
      rule,
      section,
      expected: check?.expected ?? null,
      got: check?.got ?? null,
      verdict: check === undefined ? 'not_reached' : check.passed ? 'passed' : 'failed',
      tolerated: check?.passed === true && tolerated.has(id),
      note: check?.note ?? null,
    };
  });
}

/** Describes an advisory in one sentence, with the remaining lifetime of the previous token. */
export function describeAdvisory(advisory: AdvisoryRecord) {
  const left = durationInWords(advisory.seconds_left);
  return advisory.kind === 'over_fetch'
    ? {
        ...advisory,
        text: `Redundant token request: the previous access token for the same audience and scope was valid for another ${left}.`,
        section: 'spec 1.4, 8.2',
      }
    : {
        ...advisory,
        text: `Unnecessary re-authorization: the previous access token of this user and client was valid for another ${left}.`,
        section: 'spec 1.4',
      };
}
