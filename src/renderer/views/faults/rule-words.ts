// Describes a fault rule: which requests it matches, what happens to them, how many are left.

import type { Fault, FaultState } from '../../../control/fault-schemas.ts';
import { parseJsonObject } from '../../../json.ts';
import { headerOf } from '../../../oauth/fields.ts';
import { capitalized, pluralize } from '../../../words.ts';

type Effect = Fault['effect'];

const SECOND_MS = 1000;

export const delayWords = (ms: number): string =>
  ms < SECOND_MS ? `${ms} ms` : `${(ms / SECOND_MS).toLocaleString('en')} s`;

/** The `error` of a JSON body, or the content type of any other: enough to recognise the response. */
function bodyWords({ headers, body }: Extract<Effect, { kind: 'answer' }>): string {
  if (body === '') return '';
  const error = parseJsonObject(body)?.['error'];
  if (typeof error === 'string') return ` ${error}`;
  const type = headerOf(headers, 'content-type')?.split(';')[0]?.trim();
  return type === undefined || type === '' ? '' : ` with ${type}`;
}

const ODD_EXPIRES_IN = {
  absent: 'expires_in left out',
  negative: 'a negative expires_in',
  huge: 'a huge expires_in',
  string: 'expires_in as a string',
} as const;

const namesOf = (edits: readonly { readonly member: string }[]): string =>
  edits.map(({ member }) => member).join(', ');

/** What is sent, in a few words: `429 too_many_requests`, `no response`, `half of the response`. */
function effectWords(effect: Effect, when: Fault['when']): string {
  switch (effect.kind) {
    case 'answer':
      return `${effect.status}${bodyWords(effect)}`;
    case 'drop':
      return when === 'after' ? 'the response is dropped' : 'no response';
    case 'truth':
      return 'the normal response';
    case 'cut':
      return effect.after_bytes === null
        ? 'half of the response'
        : `${pluralize(effect.after_bytes, 'byte')} of the response`;
    case 'dribble':
      return `the response, spread over ${delayWords(effect.duration_ms)}`;
    case 'broken_json':
      return 'truncated JSON';
    case 'wrong_content_type':
      return `the response as ${effect.content_type}`;
    case 'expires_in':
      return ODD_EXPIRES_IN[effect.as];
    case 'expired_token':
      return 'tokens that have expired';
    case 'unpublished_key':
      return 'tokens signed by an unknown key';
    case 'edit_json':
      return `the response with changes to ${namesOf(effect.edits)}`;
    case 'edit_authorization_response':
      return `the authorization response with changes to ${namesOf(effect.edits)}`;
    case 'edit_id_token':
      return effect.sign === 'published_key'
        ? `an ID token with changes to ${namesOf([...effect.claims, ...effect.header])}`
        : 'an ID token with a wrong signature';
  }
}

/** The effect with its delay: `no response, after 30 s`. */
export function whatInWords({
  effect,
  when,
  delay_ms,
}: Pick<Fault, 'effect' | 'when' | 'delay_ms'>) {
  const what = effectWords(effect, when);
  return delay_ms === 0 ? what : `${what}, after ${delayWords(delay_ms)}`;
}

export const WHEN_SHORT: Record<Fault['when'], string> = {
  instead: 'not evaluated',
  after: 'evaluated first',
};

/** Which requests match: `POST /oauth/token, grant refresh_token`, `any request`. */
export function matchInWords({ path, method, grant_type, client_id }: Fault['match']): string {
  const target =
    path === null ? (method === null ? 'any request' : `any ${method}`) : `${method ?? ''} ${path}`;
  const claims = [
    ...(grant_type === null ? [] : [`grant ${grant_type}`]),
    ...(client_id === null ? [] : [`client ${client_id}`]),
  ];
  return [target.trim(), ...claims].join(', ');
}

/** How often the rule applies: `1 in 5`, `37%`; empty if always. */
export function chanceInWords(probability: number): string {
  if (probability === 1) return '';
  const one = 1 / probability;
  if (Number.isInteger(one) && one <= 100) return `1 in ${one}`;
  return `${(probability * 100).toLocaleString('en', { maximumFractionDigits: 1 })}%`;
}

/** How many more requests the rule applies to: `2 of 3`, `none of 3`, `no limit`. */
export function leftInWords({ times, remaining }: Pick<FaultState, 'times' | 'remaining'>): string {
  if (times === null || remaining === null) return 'no limit';
  const left = remaining === 0 ? 'none' : remaining.toLocaleString('en');
  return `${left} of ${times.toLocaleString('en')}`;
}

export const isActive = ({ enabled, remaining }: Pick<FaultState, 'enabled' | 'remaining'>) =>
  enabled && remaining !== 0;

/** The name of a rule, or its effect if it has none. */
export const titleOf = (fault: Pick<Fault, 'name' | 'effect' | 'when' | 'delay_ms'>): string =>
  fault.name === '' ? capitalized(whatInWords(fault)) : fault.name;
