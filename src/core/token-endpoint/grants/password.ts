// The resource owner password credentials grant (RFC 6749 4.3): tokens for a user whose username and password the
// client sends. RFC 9700 2.4 forbids it and OAuth 2.1 no longer has it, which is noted on each request.

import { OAuthError } from '../../checks/errors.ts';
import { note, pass } from '../../checks/trace.ts';
import { valueOf } from '../../model/request.ts';
import type { User } from '../../records/schemas.ts';
import { decideAudience } from '../../registry/audiences.ts';
import { knownScope } from '../../registry/scopes.ts';
import { findHinted } from '../../registry/lists.ts';
import { countRequest } from '../count-request.ts';
import type { Grant, GrantContext } from './grant.ts';
import { checkIdToken } from '../../issuing/id-token.ts';
import { issueForUser, openOwnLineage, requestedScopes, sentScope } from './issue.ts';

export const password: Grant = {
  grant_type: 'password',
  content_type: 'form',
  rejectedBy: (rules) => rules.password_grant === 'reject',
  parameters: ['username', 'password', 'audience', 'resource', 'scope'],
  required: () => ['username', 'password'],
  redeem: async (context) => {
    note(context.evaluation, 'password_grant');
    const username = valueOf(context.request, 'username') ?? '';
    countRequest(context, username, 'username');
    const user = checkUsername(context, username);
    if (user.locked === true) throw new OAuthError('username_locked', { got: user.sub });
    checkPassword(context, user);
    const audience = decideAudience(context);
    const scope = knownScope(context, requestedScopes(context), audience);
    checkIdToken(context, scope);
    const lineage = openOwnLineage(context, { user_sub: user.sub, audience, scope });
    const requested_scope = sentScope(context);
    const order = { lineage, audience, scope, requested_scope, expires_in: null, nonce: null };
    return issueForUser(context, order);
  },
};

function checkUsername({ registry, evaluation }: GrantContext, username: string): User {
  const user = findHinted(username, registry);
  if (user === undefined) throw new OAuthError('username_unknown', { got: username });
  pass(evaluation, 'credential_known', { got: username });
  return user;
}

/** Compares digests, so that the time does not depend on how much of the password is correct. */
function checkPassword({ request, ports, evaluation }: GrantContext, user: User): void {
  if (user.password === null) {
    note(evaluation, 'password_not_set', user.sub);
    pass(evaluation, 'user', { got: user.sub, note: 'the user has no password: any is accepted' });
    return;
  }
  const sent = valueOf(request, 'password') ?? '';
  if (ports.sha256(sent) !== ports.sha256(user.password)) {
    throw new OAuthError('password_wrong', { got: user.sub });
  }
  pass(evaluation, 'user', { got: user.sub });
}
