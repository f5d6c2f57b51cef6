// A fault rule as the form holds it, and its conversion. Empty values are empty texts. The members of every kind of
// effect are kept, so that switching to another kind loses nothing.

import type { UseFormReturnType, FormErrors } from '@mantine/form';
import { faultSchema, type Fault, type FaultState } from '../../../control/fault-schemas.ts';
import { problemsByField } from '../../ui/problems.ts';

/** Props of each group of the rule form's fields. */
export interface RuleFieldsProps {
  readonly form: UseFormReturnType<FaultDraft>;
}

type EffectKind = Fault['effect']['kind'];
type IdTokenEffect = Extract<Fault['effect'], { kind: 'edit_id_token' }>;
type OddExpiresIn = Extract<Fault['effect'], { kind: 'expires_in' }>['as'];
/** The value of a number field while it is being typed. */
type Typed = number | string;

export interface FaultDraft extends Record<string, unknown> {
  /** If empty, the service generates one. */
  id: string;
  name: string;
  enabled: boolean;
  when: Fault['when'];
  match: { path: string; method: string; grant_type: string; client_id: string };
  times: Typed;
  probability: Typed;
  seed: Typed;
  delay_ms: Typed;
  effect: {
    kind: EffectKind;
    status: Typed;
    headers: [name: string, value: string][];
    body: string;
    after_bytes: Typed;
    duration_ms: Typed;
    content_type: string;
    as: OddExpiresIn;
    /** JSON. */
    edits: string;
    claims: string;
    header: string;
    sign: IdTokenEffect['sign'];
  };
}

/** Effects that need no normal response; all others change one. */
const STANDALONE: readonly EffectKind[] = ['answer', 'drop'];

/** Whether the effect requires `after`. */
export const altersResponse = (kind: EffectKind): boolean => !STANDALONE.includes(kind);

const EFFECT: FaultDraft['effect'] = {
  kind: 'answer',
  status: 503,
  headers: [['Content-Type', 'application/json']],
  body: '{"error":"temporarily_unavailable","error_description":"scripted"}',
  after_bytes: '',
  duration_ms: 10_000,
  content_type: 'text/html',
  as: 'absent',
  edits: '[{ "member": "scope", "do": "remove" }]',
  claims: '[{ "member": "nonce", "do": "remove" }]',
  header: '[]',
  sign: 'published_key',
};

const editsText = (edits: unknown): string => JSON.stringify(edits, null, 2);

/** The edits that a text lists; the text itself where it is not JSON, which the schema then refuses. */
function editsOf(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return text;
  }
}

export const newDraft = (): FaultDraft => ({
  id: '',
  name: '',
  enabled: true,
  when: 'instead',
  match: { path: '/oauth/token', method: 'POST', grant_type: '', client_id: '' },
  times: 1,
  probability: 1,
  seed: 1,
  delay_ms: 0,
  effect: EFFECT,
});

function effectDraft(effect: Fault['effect']): FaultDraft['effect'] {
  switch (effect.kind) {
    case 'answer':
      return { ...EFFECT, ...effect, headers: effect.headers.map(([...pair]) => pair) };
    case 'cut':
      return { ...EFFECT, kind: effect.kind, after_bytes: effect.after_bytes ?? '' };
    case 'edit_json':
    case 'edit_authorization_response':
      return { ...EFFECT, kind: effect.kind, edits: editsText(effect.edits) };
    case 'edit_id_token': {
      const { kind, claims, header, sign } = effect;
      return { ...EFFECT, kind, sign, claims: editsText(claims), header: editsText(header) };
    }
    default:
      return { ...EFFECT, ...effect };
  }
}

export const draftOf = ({ match, times, effect, ...rule }: Fault): FaultDraft => ({
  ...rule,
  match: {
    path: match.path ?? '',
    method: match.method ?? '',
    grant_type: match.grant_type ?? '',
    client_id: match.client_id ?? '',
  },
  times: times ?? '',
  effect: effectDraft(effect),
});

/** The same rule under a new id. */
export function duplicateOf(fault: Fault): FaultDraft {
  const name = fault.name === '' ? '' : `${fault.name} (copy)`;
  return { ...draftOf(fault), id: '', name };
}

const numberOf = (typed: Typed) => (typed === '' ? undefined : Number(typed));
const nullable = (text: string) => (text === '' ? null : text);

function effectOf({ effect }: FaultDraft): unknown {
  const { kind, status, headers, body, after_bytes, duration_ms, content_type, as } = effect;
  switch (kind) {
    case 'answer':
      return { kind, status: numberOf(status), headers, body };
    case 'cut':
      return { kind, after_bytes: numberOf(after_bytes) ?? null };
    case 'dribble':
      return { kind, duration_ms: numberOf(duration_ms) };
    case 'wrong_content_type':
      return { kind, content_type };
    case 'expires_in':
      return { kind, as };
    case 'edit_json':
    case 'edit_authorization_response':
      return { kind, edits: editsOf(effect.edits) };
    case 'edit_id_token':
      return {
        kind,
        claims: editsOf(effect.claims),
        header: editsOf(effect.header),
        sign: effect.sign,
      };
    default:
      return { kind };
  }
}

/** The record for the draft, which may be invalid: see `problemsOf`. */
export function ruleOf(draft: FaultDraft): Record<string, unknown> {
  const { match, effect } = draft;
  return {
    ...(draft.id === '' ? {} : { id: draft.id }),
    name: draft.name,
    enabled: draft.enabled,
    when: altersResponse(effect.kind) ? 'after' : draft.when,
    match: {
      path: nullable(match.path),
      method: nullable(match.method),
      grant_type: nullable(match.grant_type),
      client_id: nullable(match.client_id),
    },
    times: numberOf(draft.times) ?? null,
    probability: numberOf(draft.probability),
    seed: numberOf(draft.seed),
    delay_ms: numberOf(draft.delay_ms),
    effect: effectOf(draft),
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
