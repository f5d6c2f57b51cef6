// The client_credentials grant (RFC 6749 4.4): an access token for the client itself. There is no user, so neither a
// refresh token nor an ID token is issued. Each request opens a lineage.

import { knownScope } from '../../registry/scopes.ts';
import { decideAudience } from '../../registry/audiences.ts';
import { countRequest } from '../count-request.ts';
import type { Grant } from './grant.ts';
import { issueInOwnLineage, requestedScopes } from './issue.ts';

export const clientCredentials: Grant = {
  grant_type: 'client_credentials',
  content_type: 'form',
  confidential_only: true,
  parameters: ['audience', 'resource', 'scope'],
  required: () => [],
  redeem: async (context) => {
    countRequest(context, context.client.client_id, 'client');
    const audience = decideAudience(context);
    const scope = knownScope(context, requestedScopes(context), audience);
    return issueInOwnLineage(context, { user_sub: null, audience, scope });
  },
};
