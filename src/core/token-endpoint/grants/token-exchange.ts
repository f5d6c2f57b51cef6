// The token exchange grant (RFC 8693). Its rules are loaded on the first request: few apps use it.

import type { Grant } from './grant.ts';

export const tokenExchange: Grant = {
  grant_type: 'urn:ietf:params:oauth:grant-type:token-exchange',
  content_type: 'form',
  confidential_only: true,
  parameters: [
    'resource',
    'audience',
    'scope',
    'requested_token_type',
    'subject_token',
    'subject_token_type',
    'actor_token',
    'actor_token_type',
  ],
  required: () => ['subject_token', 'subject_token_type'],
  redeem: async (context) => (await import('./token-exchange-rules.ts')).exchangeToken(context),
};
