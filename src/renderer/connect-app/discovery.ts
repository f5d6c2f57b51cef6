// What the metadata omits, or lists wrongly, for a client with its own profile: it describes the server's profile
// (behaviour 7.11).

import type { Profile } from '../../control/schemas.ts';
import { enumerated } from '../../words.ts';

const METHODS = ['HTTP Basic', 'signed assertions', 'clients without a secret'];

/** What the metadata lists for each profile, in addition to what it lists for strict. */
const LISTED: Readonly<Record<Profile, readonly string[]>> = {
  strict: [],
  documented: ['the password grant'],
  interop: [...METHODS, 'the password grant', 'DPoP'],
};

const without = (names: readonly string[], other: readonly string[]) =>
  names.filter((name) => !other.includes(name));

/** @param own the client's profile, if it has one @returns null when the metadata fits the client */
export function discoveryNote(own: Profile | null, ofServer: Profile): string | null {
  if (own === null || own === ofServer) return null;
  const more = without(LISTED[own], LISTED[ofServer]);
  const described = `Discovery describes the server’s profile, ${ofServer}.`;
  if (more.length > 0) {
    return `${described} This client’s profile, ${own}, also accepts ${enumerated(more)}. Discovery does not list that, so configure it in the app.`;
  }
  const less = without(LISTED[ofServer], LISTED[own]);
  return `${described} It lists ${enumerated(less)}, which this client’s profile, ${own}, rejects.`;
}
