// Fault rules, in the order in which they are tried, and the ready-made ones.

import type { FaultState } from '../../control/fault-schemas.ts';
import { faultSchema } from '../../core/records/schemas.ts';
import { FAULT_BOUNDS } from '../../core/records/bounds.ts';
import { FAULT_PRESETS } from '../../core/faults/presets.ts';
import type { FaultState as Entry } from '../../core/faults/rules.ts';
import { encodeRandom } from '../../core/issuing/random-text.ts';
import type { EngineParts } from '../parts.ts';
import { conflict, invalidField, notFound } from './control-error.ts';
import { mergePatch } from '../../core/records/merge-patch.ts';
import { os } from './os.ts';
import { pageOf } from './page.ts';
import { validate } from './records.ts';

const view = ({ fault, hits, remaining }: Entry): FaultState => ({ ...fault, hits, remaining });

const MIB = 1024 * 1024;

type Rule = Readonly<Record<string, unknown>>;

const kindOf = ({ effect }: Rule): unknown => (Object(effect) as { kind?: unknown }).kind;

/** A merge patch, but for an effect of another kind: it shares no member with the former one. */
function merged(rule: Rule, patch: Rule): unknown {
  const kind = kindOf(patch);
  const other = kind !== undefined && kind !== kindOf(rule);
  return mergePatch(other ? { ...rule, effect: {} } : rule, patch);
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
  const find = (id: string): Entry => {
    const found = faults.get(id);
    if (found === undefined) throw notFound('fault rule', id);
    return found;
  };
  const put = (rule: unknown) => {
    const fault = validate(faultSchema, rule);
    if (!faults.hasRoomFor(fault)) {
      const { entries, bytes } = FAULT_BOUNDS;
      throw conflict(
        `there can be at most ${entries} fault rules with ${bytes / MIB} MiB in total`,
      );
    }
    faults.put(fault);
    return view(find(fault.id));
  };
  return {
    list: os.faults.list.handler(({ input }) =>
      pageOf(faults.list().map(view), input, ({ id }) => id),
    ),
    create: os.faults.create.handler(({ input: { preset, ...draft } }) => {
      const id = draft.id ?? encodeRandom(ports.random(6));
      if (faults.get(id) !== undefined) {
        throw conflict(`a fault rule "${id}" already exists`, 'id');
      }
      return put(merged(presetRule(preset), { ...draft, id }));
    }),
    get: os.faults.get.handler(({ input }) => view(find(input.id))),
    update: os.faults.update.handler(({ input }) => put(merged(find(input.id).fault, input))),
    move: os.faults.move.handler(({ input: { id, position } }) => {
      find(id);
      faults.move(id, position);
      return view(find(id));
    }),
    remove: os.faults.remove.handler(({ input: { id } }) => {
      find(id);
      faults.remove(id);
    }),
    removeAll: os.faults.removeAll.handler(() => {
      faults.replaceAll([]);
    }),
    presets: os.faults.presets.handler(() => ({ items: presets(), next: null })),
  };
}
