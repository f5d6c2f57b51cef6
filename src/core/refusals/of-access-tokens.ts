// Access tokens that are presented back to their issuer (RFC 6750 3.1, RFC 7662 2.2).

import type { CheckId, Refusal, RefusalFacts, Words } from './refusal.ts';
import { clockTime, since } from './refusal.ts';

const token = (
  check: CheckId,
  description: string,
  summary: Words,
  more: Pick<Refusal, 'detail' | 'advice'> = {},
): Refusal => ({ check, error: 'invalid_token', description, summary, ...more });

const NOT_VALID = 'the access token is not valid';

const expired = (facts: RefusalFacts) =>
  facts.at === undefined ? since(facts) : `expired by hand at ${clockTime(facts.at)}`;

export const ACCESS_TOKEN_REFUSALS = {
  access_token_malformed: token(
    'credential_known',
    NOT_VALID,
    'This is no access token that this service issued.',
    { advice: 'Check that the token arrives whole, without quotes or line breaks.' },
  ),
  access_token_is_other_credential: token(
    'credential_known',
    NOT_VALID,
    'What was sent as access token is another kind of credential.',
    { advice: 'Send access_token of the token response, not the id_token or refresh_token.' },
  ),
  access_token_key_unknown: token(
    'credential_known',
    NOT_VALID,
    'The token was signed by a key that this service does not hold, or that was retired.',
    { advice: 'Ask for a new token; after a restart the keys are new unless they were kept.' },
  ),
  access_token_signature_wrong: token(
    'credential_known',
    NOT_VALID,
    'The signature of the token does not fit its content.',
    { advice: 'The token was changed on its way, or cut.' },
  ),
  access_token_of_other_issuer: token(
    'credential_known',
    NOT_VALID,
    'The token names another issuer.',
    {
      detail: (facts) => `iss is ${facts.got ?? 'missing'}, this issuer is ${facts.expected ?? ''}`,
    },
  ),
  access_token_of_other_epoch: token(
    'credential_known',
    NOT_VALID,
    'The token was issued before the last restart or reset.',
    { advice: 'Ask for a new token, or keep the keys and the denial list over a restart.' },
  ),
  access_token_revoked: token(
    'credential_live',
    'the access token was revoked',
    'The access token, or all that came of its authorization, was revoked.',
    {
      detail: (facts) => `revoked at ${clockTime(facts.at)}`,
      advice: 'Send the user through the authorization again.',
    },
  ),
  access_token_expired: token(
    'credential_live',
    'the access token has expired',
    'The access token has expired.',
    { detail: expired, advice: 'Redeem the refresh token for a new access token.' },
  ),
} satisfies Record<string, Refusal>;
