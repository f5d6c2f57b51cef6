// A deliberate mistake as data: what it changes in a correct step, and what the service must answer. Nothing here sends
// anything. To add one is to add an entry to the list of its place.

import type { RefusalReason } from '../../core/checks/refusals/index.ts';
import type { Profile, Refusal, RefusalPlace } from '../../control/schemas.ts';
import { isJsonObject } from '../../oauth/json-object.ts';
import type { Members } from '../actions/action.ts';
import type { ScenarioStep } from '../schema.ts';
import { actionOf } from '../actions/index.ts';

/** Stand for parties that the run has besides those of the step. */
export const OTHER_CLIENT = '{{other_client}}';
export const OTHER_AUDIENCE = '{{other_audience}}';

/** The id of the refusal that the service must answer with, or that it accepts the request all the same. */
export type Meets = RefusalReason | 'accepted';

/** What the run must have for a mistake to be possible. */
export type Need =
  | 'other_client'
  | 'secret'
  | 'sign_in_page'
  | 'approval'
  | 'user_password'
  | 'jwt_access_token'
  | 'interop'
  | 'required_proof'
  | 'optional_proof'
  | 'bound_refresh_token'
  | 'former_token';

/** What is done to the composed request where a member of the step cannot say it. */
export interface RequestChange {
  readonly method?: string;
  /** Sends the fields of the body in the query: in its place, or as well. */
  readonly fields_in_query?: 'instead' | 'as_well';
  readonly without_body?: true;
  /** Put before and after the body. */
  readonly around_body?: readonly [string, string];
  /** Removes so many characters from the end of the body. */
  readonly cut?: number;
}

export interface Mistake {
  /** Unique at its place. */
  readonly id: string;
  readonly title: string;
  /** What is sent instead, in a few words. */
  readonly sends: string;
  /** The rule that it breaks. */
  readonly section: string;
  /** Steps that come first. What they obtain is the mistake's own. */
  readonly before?: readonly ScenarioStep[];
  /** Members of the step's action that replace those of the correct one; objects are merged, null omits a member. */
  readonly change?: Members;
  readonly request?: RequestChange;
  /** The step to take in place of the correct one. */
  readonly instead?: ScenarioStep;
  readonly meets:
    Meets | (Partial<Readonly<Record<Profile, Meets>>> & { readonly otherwise: Meets });
  readonly needs?: readonly Need[];
}

export interface MistakeGroup {
  readonly name: string;
  readonly mistakes: readonly Mistake[];
}

/** A step that can be broken on purpose. */
export interface Place {
  /** As Flow numbers its steps by. */
  readonly id: string;
  readonly title: string;
  /** The grants that have this step. */
  readonly grants: readonly string[];
  /** The quickest steps over control that provide what the correct step needs. */
  readonly prepare: readonly ScenarioStep[];
  /** The correct step. */
  readonly step: ScenarioStep;
  readonly groups: readonly MistakeGroup[];
}

export const meetsIn = ({ meets }: Pick<Mistake, 'meets'>, profile: Profile): Meets =>
  typeof meets === 'string' ? meets : (meets[profile] ?? meets.otherwise);

/** The members of `change` in place of those of `members`; objects are merged at any depth. */
export function merged(members: unknown, change: unknown): unknown {
  if (!isJsonObject(members) || !isJsonObject(change)) return change;
  const both = Object.entries(change).map(
    ([name, value]) => [name, merged(members[name], value)] as const,
  );
  return { ...members, ...Object.fromEntries(both) };
}

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
 * What a deliberate mistake is answered with, for display; whether the answer is the expected one is decided by the
 * refusal's id alone (run.ts). The status and error code under the dialect and shape that the sandbox has now, as `400 invalid_grant`; `accepted`
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
