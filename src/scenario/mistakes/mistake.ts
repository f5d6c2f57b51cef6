// A deliberate mistake as data: what it changes in a correct step, and what the service must answer. Nothing here sends
// anything. To add one is to add an entry to the list of its place.

import type { RefusalReason } from '../../core/checks/refusals/index.ts';
import type { Profile } from '../../control/schemas.ts';
import { isJsonObject } from '../../oauth/json-object.ts';
import type { Members } from '../actions/action.ts';
import type { ScenarioStep } from '../schema.ts';

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
