// Describes the cause of a refusal: what was wrong, and what to do. The page, the log and the control API use the
// same texts.

import type { Profile } from '../records/schemas.ts';
import type { OAuthError } from './errors.ts';
import { differsAt, REFUSALS } from './refusals/index.ts';

/** Returns a client_id quoted for a shell. */
const argument = (client_id: string) =>
  /^[\w.-]+$/.test(client_id) ? client_id : `'${client_id.replaceAll("'", "'\\''")}'`;

/** Returns how to have the request accepted unchanged. */
function profileAdvice(profile: Profile, client_id: string | null): string {
  const command =
    client_id === null
      ? `grantbench settings set profile=${profile}`
      : `grantbench clients set ${argument(client_id)} profile=${profile}`;
  const whose = client_id === null ? 'the workspace' : 'this client';
  return `Or use the ${profile} profile for ${whose}, which accepts this: ${command}.`;
}

/**
 * Returns why the request was rejected, with the details that only the trace shows.
 * @param client_id the registered client of the request; null if there is none
 */
export function describeCause(refusal: OAuthError, client_id: string | null = null) {
  const { check, summary, detail, advice, compared_with } = REFUSALS[refusal.reason];
  const { acceptedBy } = refusal;
  const say = (words: typeof summary) => (typeof words === 'string' ? words : words(refusal.facts));
  const { expected, got } = refusal.facts;
  const compared = compared_with !== undefined && expected !== undefined && got !== undefined;
  const advised = [
    ...(advice === undefined ? [] : [say(advice)]),
    ...(acceptedBy === null ? [] : [profileAdvice(acceptedBy, client_id)]),
  ].join(' ');
  return {
    reason: refusal.reason,
    check,
    summary: say(summary),
    detail: detail?.(refusal.facts) ?? null,
    advice: advised === '' ? null : advised,
    differs_at: compared ? differsAt(expected, got) : null,
    accepted_by: acceptedBy,
  };
}

/** Returns the cause in a few words, for one line of a table or a log. */
export function shortCause(refusal: OAuthError): string {
  const { summary, detail, accepted_by } = describeCause(refusal);
  const cause = detail ?? summary.replace(/\.$/, '');
  return accepted_by === null ? cause : `${cause}; the ${accepted_by} profile accepts it`;
}
