// What a deliberate mistake is answered with, taken from the list of refusals (`GET /refusals`): nothing of it is known
// here. For display; whether the answer is the expected one is decided by the refusal's id alone (run.ts).

import type { Profile, Refusal, RefusalPlace } from '../../control/schemas.ts';
import { isJsonObject } from '../../oauth/json-object.ts';
import { actionOf } from '../actions/index.ts';
import { meetsIn, merged, type Mistake, type Place } from './mistake.ts';

/** Where the request of the mistake goes, as the list of refusals names it. */
interface Spot {
  readonly endpoint: string;
  /** null where it is no token request. */
  readonly grant: unknown;
}

/** Each endpoint is called like the last segment of its path. */
function endpointAt(path: unknown): string {
  const [local = ''] = String(path).split('?', 1);
  return local.slice(local.lastIndexOf('/') + 1);
}

function spotOf({ step }: Place, { change, instead }: Mistake): Spot {
  const main = instead ?? step;
  const action = actionOf(main);
  const order = merged(main[action], change ?? {});
  const members = isJsonObject(order) ? order : {};
  switch (action) {
    case 'token':
      return { endpoint: 'token', grant: members['grant'] };
    case 'authorize':
      return { endpoint: members['push'] === true ? 'par' : 'authorize', grant: null };
    case 'authorize_device':
      return { endpoint: 'device_authorization', grant: null };
    default:
      return { endpoint: endpointAt(members['path']), grant: null };
  }
}

const isAt =
  ({ endpoint, grant }: Spot) =>
  (place: RefusalPlace): boolean =>
    (place.endpoint === null || place.endpoint === endpoint) &&
    (place.grants === null || place.grants.some((one) => one === grant));

/**
 * The status and error code under the dialect and shape that the sandbox has now, as `400 invalid_grant`; `accepted`
 * where the profile tolerates the mistake.
 * @param refusals the items of `GET /refusals`
 * @returns null for a list that does not have the refusal at this place, as that of another version
 */
export function expectedAnswer(
  place: Place,
  mistake: Mistake,
  profile: Profile,
  refusals: readonly Refusal[],
): string | null {
  const meets = meetsIn(mistake, profile);
  if (meets === 'accepted') return meets;
  const refusal = refusals.find(({ id }) => id === meets);
  const found = refusal?.places.find(isAt(spotOf(place, mistake)));
  if (found === undefined) return null;
  const { status, error } = found.now;
  return error === null ? String(status) : `${status} ${error}`;
}
