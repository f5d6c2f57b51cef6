// Fault rules, in the order in which they are tried, and the ready-made ones.

import type { FaultState } from '../../control/fault-schemas.ts';
import { type Fault, faultSchema } from '../../core/records/schemas.ts';
import { FAULT_BOUNDS } from '../../core/records/bounds.ts';
import { FAULT_PRESETS } from '../../core/faults/presets.ts';
import type { FaultState as Entry } from '../../core/faults/rules.ts';
import { encodeRandom } from '../../core/issuing/random-text.ts';
import type { EngineParts } from '../parts.ts';
import { existing, invalidField } from './control-error.ts';
import { mergePatch } from '../../core/records/merge-patch.ts';
import { os } from './implementer.ts';
import { pageOf } from './page.ts';
import { patched, recordsOf } from './records.ts';

const view = ({ fault, hits, remaining }: Entry): FaultState => ({ ...fault, hits, remaining });

type Rule = Readonly<Record<string, unknown>>;

const effectOf = ({ effect }: Rule): Rule => Object(effect) as Rule;

const kindOf = (rule: Rule): unknown => effectOf(rule)['kind'];

/** A merge patch, but for an effect of another kind: it shares no member with the former one, which it may remove. */
function merged(rule: Rule, patch: Rule): unknown {
  const kind = kindOf(patch);
  if (kind === undefined || kind === kindOf(rule))
    return patched(faultSchema, (keepNames) => mergePatch(rule, patch, keepNames));
  const former = effectOf(rule);
  const given = Object.entries(effectOf(patch)).filter(
    ([name, value]) => value !== null || !Object.hasOwn(former, name),
  );
  const wanted = { ...patch, effect: Object.fromEntries(given) };
  return patched(faultSchema, (keepNames) =>
    mergePatch({ ...rule, effect: {} }, wanted, keepNames),
  );
}

function presetRule(id: string | undefined): Rule {
  if (id === undefined) return {};
  const preset = FAULT_PRESETS.find((one) => one.id === id);
  if (preset !== undefined) return { ...preset.fault };
  const known = FAULT_PRESETS.map((one) => one.id).join(', ');
  throw invalidField('preset', `must be one of ${known}`);
}

const presets = () =>
  FAULT_PRESETS.map(({ id, text, fault }) => {
    const { id: _id, ...rule } = faultSchema.parse({ id, ...fault });
    return { id, text, fault: rule };
  });

export function faultHandlers({ service }: EngineParts) {
  const { faults, ports } = service;
  const find = (id: string) => existing(faults.get(id), 'fault rule', id);
  const rules = recordsOf<Fault>({
    name: 'fault rule',
    key: 'id',
    keyOf: ({ id }) => id,
    collection: {
      ...faults,
      bounds: FAULT_BOUNDS,
      list: () => faults.list().map(({ fault }) => fault),
      get: (id) => faults.get(id)?.fault,
    },
    schema: faultSchema,
  });
  return {
    list: os.faults.list.handler(({ input }) =>
      pageOf(faults.list().map(view), input, ({ id }) => id),
    ),
    create: os.faults.create.handler(({ input: { preset, ...draft } }) => {
      const id = draft.id ?? encodeRandom(ports.random(6));
      rules.add(merged(presetRule(preset), { ...draft, id }));
      return view(find(id));
    }),
    get: os.faults.get.handler(({ input }) => view(find(input.id))),
    update: os.faults.update.handler(({ input }) => {
      rules.put(merged(find(input.id).fault, input));
      return view(find(input.id));
    }),
    move: os.faults.move.handler(({ input: { id, position } }) => {
      find(id);
      faults.move(id, position);
      return view(find(id));
    }),
    remove: os.faults.remove.handler(({ input }) => {
      rules.remove(input.id);
    }),
    removeAll: os.faults.removeAll.handler(() => {
      faults.replaceAll([]);
    }),
    presets: os.faults.presets.handler(() => ({ items: presets(), next: null })),
  };
}
