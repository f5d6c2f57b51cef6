// Cases of the logout token (OpenID Connect Back-Channel Logout 2.4 and 2.6), each with one mistake. The app must
// answer 400.

import { type CaseDraft, casesOf, remove, set, type TokenEdits } from './case.ts';

const logoutToken = (
  id: string,
  title: string,
  text: string,
  section: string,
  edits: Partial<TokenEdits>,
): CaseDraft => ({
  id: `logout-token-${id}`,
  title,
  text,
  rules: [],
  section: `OpenID Connect Back-Channel Logout ${section}`,
  advice: 'Validate the logout token before you end a session; answer 400 if it is wrong.',
  logout: { claims: [], header: [], sign: 'published_key', ...edits },
});

export const LOGOUT_CASES = casesOf(
  'logout',
  {
    topic: 'logout',
    progress: 'logout',
    by_traffic: true,
    unreached:
      'No token was redeemed, the client has no backchannel_logout_uri, or the app did not respond there.',
  },
  [
    logoutToken(
      'iss-other',
      'Logout token from another issuer',
      'The iss claim names another issuer.',
      '2.6 (4)',
      { claims: [set('iss', 'https://other-issuer.invalid')] },
    ),
    logoutToken(
      'aud-other',
      'Logout token for another client',
      'The aud claim names another client.',
      '2.6 (4)',
      { claims: [set('aud', 'https://stranger.invalid')] },
    ),
    logoutToken(
      'event-missing',
      'Logout token without events',
      'The events claim is missing.',
      '2.6 (6)',
      { claims: [remove('events')] },
    ),
    logoutToken(
      'event-other',
      'Logout token of another event',
      'The events claim names another event.',
      '2.6 (6)',
      { claims: [set('events', { 'http://schemas.openid.net/event/foobar': {} })] },
    ),
    logoutToken(
      'nonce',
      'Logout token with a nonce',
      'The logout token has a nonce, as an ID token may have.',
      '2.6 (7)',
      { claims: [set('nonce', 'a-nonce')] },
    ),
    logoutToken(
      'alg-none',
      'Unsigned logout token',
      'The logout token has alg none and no signature.',
      '2.6 (3)',
      { sign: 'none' },
    ),
    logoutToken(
      'alg-other',
      'Logout token signed with another algorithm',
      'The logout token is signed with HS256 and the client_secret, which was not agreed on.',
      '2.6 (3)',
      { sign: 'hs256_client_secret' },
    ),
  ],
);
