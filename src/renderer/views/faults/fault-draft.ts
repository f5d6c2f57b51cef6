// A fault rule as the form holds it, and its conversion. Empty values are empty texts. The members of every kind of
// effect are kept, so that switching to another kind loses nothing.

import type { UseFormReturnType, FormErrors } from '@mantine/form';
import { faultSchema, type Fault, type FaultState } from '../../../control/fault-schemas.ts';
import { membersOf, optionsOf } from '../../../control/fields.ts';
import { jsonOrText } from '../../../json.ts';
import { problemsByField } from '../../ui/problems.ts';

type EffectKind = Fault['effect']['kind'];
type IdTokenEffect = Extract<Fault['effect'], { kind: 'edit_id_token' }>;
type OddExpiresIn = Extract<Fault['effect'], { kind: 'expires_in' }>['as'];
/** The value of a number field while it is being typed. */
type Typed = number | string;

/** Effects that need no normal response; all others change one. */
const STANDALONE: readonly EffectKind[] = ['answer', 'drop'];

/** Whether the effect requires `after`. */
export const altersResponse = (kind: EffectKind): boolean => !STANDALONE.includes(kind);

const EFFECT = {
  kind: 'answer' as EffectKind,
  status: 503 as Typed,
  headers: [['Content-Type', 'application/json']] as [name: string, value: string][],
  body: '{"error":"temporarily_unavailable","error_description":"scripted"}',
  after_bytes: '' as Typed,
  duration_ms: 10_000 as Typed,
  content_type: 'text/html',
  as: 'absent' as OddExpiresIn,
  // JSON.
  edits: '[{ "member": "scope", "do": "remove" }]',
  claims: '[{ "member": "nonce", "do": "remove" }]',
  header: '[]',
  sign: 'published_key' as IdTokenEffect['sign'],
};

export const newDraft = () => ({
  /** If empty, the service generates one. */
  id: '',
  name: '',
  enabled: true,
  when: 'instead' as Fault['when'],
  match: { path: '/oauth/token', method: 'POST', grant_type: '', client_id: '' },
  times: 1 as Typed,
  probability: 1 as Typed,
  seed: 1 as Typed,
  delay_ms: 0 as Typed,
  effect: EFFECT,
});

export type FaultDraft = ReturnType<typeof newDraft>;

/** Props of each group of the rule form's fields. */
export interface RuleFieldsProps {
  readonly form: UseFormReturnType<FaultDraft>;
}

/** The members that a field has as JSON. */
const EDITS = ['edits', 'claims', 'header'];
const NUMBERS = ['status', 'after_bytes', 'duration_ms'];

const mapped = (members: object, how: (value: unknown, name: string) => unknown): object =>
  Object.fromEntries(Object.entries(members).map(([name, value]) => [name, how(value, name)]));

const textOf = (value: unknown, name: string) =>
  EDITS.includes(name) ? JSON.stringify(value, null, 2) : (value ?? '');

export const draftOf = ({ match, times, effect, ...rule }: Fault): FaultDraft => ({
  ...rule,
  match: mapped(match, textOf) as FaultDraft['match'],
  times: times ?? '',
  effect: { ...EFFECT, ...mapped(effect, textOf) },
});

/** The same rule under a new id. */
export function duplicateOf(fault: Fault): FaultDraft {
  const name = fault.name === '' ? '' : `${fault.name} (copy)`;
  return { ...draftOf(fault), id: '', name };
}

const numberOf = (typed: unknown) => (typed === '' ? undefined : Number(typed));

const KINDS = optionsOf(membersOf(faultSchema)['effect'] ?? faultSchema);

/** The members that the kind of effect has. Text that is not JSON is rejected by the schema. */
const effectOf = (effect: FaultDraft['effect']): object =>
  mapped(membersOf(KINDS[effect.kind] ?? faultSchema), (_schema, name) => {
    const value = effect[name as keyof FaultDraft['effect']];
    if (EDITS.includes(name)) return jsonOrText(String(value));
    if (!NUMBERS.includes(name)) return value;
    return numberOf(value) ?? (name === 'after_bytes' ? null : undefined);
  });

/** The record for the draft, which may be invalid: see `problemsOf`. */
export function ruleOf(draft: FaultDraft): Record<string, unknown> {
  const { match, effect } = draft;
  return {
    ...(draft.id === '' ? {} : { id: draft.id }),
    name: draft.name,
    enabled: draft.enabled,
    when: altersResponse(effect.kind) ? 'after' : draft.when,
    match: mapped(match, (text) => text || null),
    times: numberOf(draft.times) ?? null,
    probability: numberOf(draft.probability),
    seed: numberOf(draft.seed),
    delay_ms: numberOf(draft.delay_ms),
    effect: effectOf(effect),
  };
}

/** The problems of the draft, by field: `match.path`, `effect.headers.0.1`. */
export function problemsOf(draft: FaultDraft): FormErrors {
  const problems = problemsByField(faultSchema, { id: 'made', ...ruleOf(draft) });
  // A list of edits is one field: its problems name their place.
  const placed = Object.entries(problems).map(([field, problem]) => {
    const [, list, place] = /^(effect\.(?:edits|claims|header))\.(.+)$/.exec(field) ?? [];
    const isEdit = draft.effect.kind.startsWith('edit_');
    return list === undefined || !isEdit
      ? [field, problem]
      : [list, `${place}: ${problem as string}`];
  });
  return Object.fromEntries(placed) as FormErrors;
}

/** The rule without its state in this run. */
export const recordOf = ({ hits: _hits, remaining: _remaining, ...rule }: FaultState): Fault =>
  rule;
