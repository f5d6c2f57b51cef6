// Whether the person at the browser has to be asked (OpenID Connect Core 3.1.2.3 and 3.1.2.4): to sign
// in, or to agree. Answers the reason for which a request that allows no asking is refused.

import type { AskedAuthorization } from './request.ts';
import type { RefusalReason } from '../checks/refusals/index.ts';
import type { Session } from './sessions.ts';
import { hasConsent } from './sessions.ts';

export type SignInReason = Extract<RefusalReason, `sign_in_${string}`>;

/** Why the session's sign-in does not do for the request; null when it does. */
export function signInNeeded(
  { prompts, max_age, hinted_sub }: AskedAuthorization,
  session: Session | undefined,
  now: number,
): SignInReason | null {
  if (hinted_sub === null) return 'sign_in_hint_unknown';
  if (session === undefined || prompts.has('login')) return 'sign_in_missing';
  if (hinted_sub !== undefined && hinted_sub !== session.sub) return 'sign_in_of_other_user';
  // A sign-in of this very moment is too old for max_age=0, which asks for a new one.
  const tooOld = max_age !== null && now - session.auth_time >= max_age * 1000;
  return tooOld ? 'sign_in_too_old' : null;
}

/** Whether the person signed in has to agree, or to choose. */
export function consentNeeded(asked: AskedAuthorization, session: Session): boolean {
  const { client, audience, scopes, prompts } = asked;
  if (prompts.has('consent') || prompts.has('select_account')) return true;
  return !hasConsent(session, { client_id: client.client_id, audience }, scopes);
}
