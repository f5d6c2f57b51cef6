// What the enumerated settings mean, in one line each, wherever the page offers them.

import type { Dialect, Profile } from '../control/schemas.ts';

export const PROFILE_WORDS: Record<Profile, string> = {
  documented: 'As the specification says, forgiving about form or JSON; what strict would refuse is noted.',
  strict: 'Only what the specification documents: finds what breaks in production.',
  interop: 'For stock OAuth clients: Basic authentication, and no audience needed.',
};

export const DIALECT_WORDS: Record<Dialect, string> = {
  rfc6749: 'Error answers as RFC 6749 5.2 has them.',
  auth0: 'Error answers with the statuses and codes Auth0 uses.',
};
