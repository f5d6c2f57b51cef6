// A deliberate mistake as data: its change to a correct step, and the expected response. Nothing here sends requests.
// To add a mistake, add an entry to the list of its place.

import type { RefusalReason } from '../../core/checks/refusals/index.ts';
import type { Profile, Refusal, RefusalPlace } from '../../control/schemas.ts';
import { isJsonObject } from '../../json.ts';
import type { Members } from '../actions/action.ts';
import type { ScenarioStep } from '../schema.ts';
import { actionOf } from '../actions/names.ts';
import type { Need } from './needs.ts';

/** The SHA-256 hash of an empty text: the ath of no token. */
export const HASH_OF_NOTHING = '47DEQpj8HBSa-_TImW-5JCeuQeRkm5NMpJWZG3hSuFU';

/** Placeholders for other parties of the run. */
export const OTHER_CLIENT = '{{other_client}}';
/** The client of the run that authenticates with assertions. */
export const SIGNING_CLIENT = '{{signing_client}}';
export const OTHER_AUDIENCE = '{{other_audience}}';

/** Placeholders for the protected API of the run, which must come first in a path. */
export const API_PATH = '{{api_path}}';
export const API_AUDIENCE = '{{api_audience}}';
export const API_SCOPE = '{{api_scope}}';

/** The id of the expected cause, or `accepted` if the sandbox accepts the request. */
export type ExpectedResult = RefusalReason | 'accepted';

/** Changes to the composed request that members of the step cannot express. */
export interface RequestChange {
  readonly method?: string;
  /** Sends the fields of the body in the query, instead or additionally. */
  readonly fields_in_query?: 'instead' | 'as_well';
  readonly without_body?: true;
  /** Texts before and after the body. */
  readonly around_body?: readonly [string, string];
  /** Removes this number of characters from the end of the body. */
  readonly cut?: number;
}

export interface Mistake {
  /** Unique within its place. */
  readonly id: string;
  readonly title: string;
  /** What is sent instead, as a short phrase. */
  readonly sends: string;
  /** The broken rule. */
  readonly section: string;
  /** Steps to perform first. Only the mistake uses what they obtain. */
  readonly before?: readonly ScenarioStep[];
  /** Members of the action that replace those of the correct step; objects are merged, null omits a member. */
  readonly change?: Members;
  readonly request?: RequestChange;
  /** The step that replaces the correct one. */
  readonly instead?: ScenarioStep;
  /** The id of the refusal that the response must have, or that the request is accepted; in each profile. */
  readonly expects:
    | ExpectedResult
    | (Partial<Readonly<Record<Profile, ExpectedResult>>> & { readonly otherwise: ExpectedResult });
  readonly needs?: readonly Need[];
}

export interface MistakeGroup {
  readonly name: string;
  readonly mistakes: readonly Mistake[];
}

/** A step with deliberate mistakes. */
export interface Place {
  /** The name of the step in Flow. */
  readonly id: string;
  readonly title: string;
  /** The grants that have this step; none if it belongs to no grant. */
  readonly grants: readonly string[];
  /** The quickest steps over control that provide what the correct step needs. */
  readonly prepare: readonly ScenarioStep[];
  /** The correct step. */
  readonly step: ScenarioStep;
  readonly groups: readonly MistakeGroup[];
  /** Removes what `prepare` leaves in the workspace. */
  readonly after?: ScenarioStep;
}

export const expectedIn = (
  { expects }: Pick<Mistake, 'expects'>,
  profile: Profile,
): ExpectedResult =>
  typeof expects === 'string' ? expects : (expects[profile] ?? expects.otherwise);

/** Returns `members` with those of `change`; objects are merged at any depth. */
export function merged(members: unknown, change: unknown): unknown {
  if (!isJsonObject(members) || !isJsonObject(change)) return change;
  const both = Object.entries(change).map(
    ([name, value]) => [name, merged(members[name], value)] as const,
  );
  return { ...members, ...Object.fromEntries(both) };
}

/** The endpoint of the mistake, as in the list of causes. */
interface Spot {
  readonly endpoint: string;
  /** null if it is not a token request. */
  readonly grant: unknown;
}

/** Each endpoint has the name of the last segment of its path. */
function endpointAt(path: unknown): string {
  const [local = ''] = String(path).split('?', 1);
  if (local.startsWith(API_PATH)) return 'api';
  if (local.startsWith('/register/')) return 'register';
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
 * Returns the expected response for display: the status and error code in the current dialect and shape, such as `400
 * invalid_grant`, or `accepted` if the profile tolerates the mistake. Only the id of the cause decides whether the
 * response is as expected (run-mistakes.ts).
 * @param refusals the items of `GET /refusals`
 * @returns null if the list does not have the cause at this place, such as that of another version
 */
export function expectedAnswer(
  place: Place,
  mistake: Mistake,
  profile: Profile,
  refusals: readonly Refusal[],
): string | null {
  const expects = expectedIn(mistake, profile);
  if (expects === 'accepted') return expects;
  const refusal = refusals.find(({ id }) => id === expects);
  const found = refusal?.places.find(isAt(spotOf(place, mistake)));
  if (found === undefined) return null;
  const { status, error } = found.now;
  return error === null ? String(status) : `${status} ${error}`;
}
