// Access tokens that are presented as such: none, two, or one that is no good (RFC 6750 3.1).

import type { CheckId, ErrorCode, Refusal, RefusalFacts, Words } from './refusal.ts';
import { by, clockTime, since } from './refusal.ts';

type More = Pick<Refusal, 'detail' | 'advice'>;

const refusal =
  (error: ErrorCode) =>
  (check: CheckId, description: string, summary: Words, more: More = {}): Refusal => ({
    check,
    error,
    description,
    summary,
    ...more,
  });

const invalid = refusal('invalid_token');
const insufficient = refusal('insufficient_scope');
const unknown = (summary: Words, more?: More): Refusal =>
  invalid('credential_known', 'the access token is not valid', summary, more);

const expired = (facts: RefusalFacts) =>
  facts.at === undefined ? since(facts) : `expired by hand at ${clockTime(facts.at)}`;

export const ACCESS_TOKEN_REFUSALS = {
  access_token_missing: invalid(
    'authorization_header',
    'an access token is required in the Authorization header, as Bearer (RFC 6750 2.1)',
    'The request presents no access token.',
    {
      detail: (facts) => facts.got ?? 'neither header nor body has one',
      advice: 'Send Authorization: Bearer and the access_token of the token response.',
    },
  ),
  access_token_twice: refusal('invalid_request')(
    'authorization_header',
    'the access token must be sent in one way only (RFC 6750 2)',
    'The request presents an access token twice, in the Authorization header and in the body.',
    { advice: 'Keep the one in the header.' },
  ),
  access_token_malformed: unknown('This is no access token that this service issued.', {
    detail: (facts) => facts.got ?? 'nothing is known by it',
    advice: 'Check that the token arrives whole, without quotes or line breaks.',
  }),
  access_token_is_other_credential: unknown(
    'What was sent as access token is another kind of credential.',
    { advice: 'Send access_token of the token response, not the id_token or refresh_token.' },
  ),
  access_token_key_unknown: unknown(
    'The token was signed by a key that this service does not hold, or that was retired.',
    { advice: 'Ask for a new token; after a restart the keys are new unless they were kept.' },
  ),
  access_token_signature_wrong: unknown('The signature of the token does not fit its content.', {
    advice: 'The token was changed on its way, or cut.',
  }),
  access_token_of_other_issuer: unknown('The token names another issuer.', {
    detail: (facts) => `iss is ${facts.got || 'missing'}, this issuer is ${facts.expected ?? ''}`,
    advice: 'Ask for a new token; the issuer may have been changed since this one.',
  }),
  access_token_of_other_epoch: unknown('The token was issued before the last restart or reset.', {
    advice: 'Ask for a new token, or keep the keys and the denial list over a restart.',
  }),
  access_token_revoked: invalid(
    'credential_live',
    'the access token was revoked',
    'The access token, or all that came of its authorization, was revoked.',
    {
      detail: (facts) =>
        facts.at === undefined
          ? 'its client is no longer registered'
          : `revoked at ${clockTime(facts.at)}${by(facts)}`,
      advice: 'Send the user through the authorization again.',
    },
  ),
  access_token_expired: invalid(
    'credential_live',
    'the access token has expired',
    'The access token has expired.',
    { detail: expired, advice: 'Redeem the refresh token for a new access token.' },
  ),
  access_token_of_client: insufficient(
    'user',
    'the access token was issued to a client for itself; there is no user to tell about',
    'The token came of client_credentials: it stands for a client, not for a user.',
    { advice: 'Use an access token that a user authorized.' },
  ),
  access_token_of_former_user: invalid(
    'user',
    'the access token was issued for a user who is no longer registered',
    'The user that the token was issued for is not registered any more.',
    { advice: 'Register the user again, or authorize as another one.' },
  ),
  openid_missing: insufficient(
    'scope',
    'the access token must have the scope openid (OpenID Connect Core 5.3)',
    'The strict profile tells about the user only to a token with the scope openid.',
    { advice: 'Ask for the scope openid at the authorization.' },
  ),
} satisfies Record<string, Refusal>;
