// The imitated provider.

import { shapeSchema, type ShapeState } from '../../control/schemas.ts';
import { PROVIDERS, PROVIDER_WORDS } from '../../control/names.ts';
import type { Settings, Shape } from '../../core/records/schemas.ts';
import { describeShape } from '../../core/shape/changes.ts';
import type { EngineParts } from '../parts.ts';
import { resolvedShape, settingsWith, shapeProblems } from '../workspace/workspace-shape.ts';
import { invalid } from './control-error.ts';
import { os } from './implementer.ts';
import { validate } from './records.ts';

/** @throws ORPCError naming every problem */
async function checked(input: unknown): Promise<Shape> {
  const shape = validate(shapeSchema, input, 'shape');
  const problems = await shapeProblems(shape);
  if (problems.length > 0) throw invalid(problems);
  return shape;
}

export function shapeHandlers({ service, keys }: EngineParts) {
  const state = (): ShapeState => {
    const shape = service.shape();
    if (shape === null) return { shape: null, name: null, changes: [] };
    return { shape: shape.given, name: shape.name, changes: describeShape(shape.given) };
  };
  /** The settings before a shape was set here; unknown for the shape of a workspace file. */
  const before = new WeakMap<Shape, Settings>();
  const change = async (next: Shape | null) => {
    const read = () => {
      const former = service.shape()?.given ?? null;
      const settings = service.settings();
      const original = former === null ? settings : before.get(former);
      return { original, set: settingsWith(settings, former, next, original) };
    };
    await keys.ensure(read().set.signing_alg);
    // Read again, because settings may have changed while the key was generated.
    const { original, set } = read();
    if (next !== null && original !== undefined) before.set(next, original);
    service.setShape(next === null ? null : resolvedShape(next));
    service.setSettings(set);
  };
  return {
    get: os.shape.get.handler(state),
    set: os.shape.set.handler(async ({ input }) => {
      await change(await checked(input));
      return state();
    }),
    remove: os.shape.remove.handler(() => change(null)),
    providers: os.shape.providers.handler(() => ({
      items: PROVIDERS.map((provider) => ({
        provider,
        title: PROVIDER_WORDS[provider],
        changes: describeShape({ provider }),
      })),
      next: null,
    })),
  };
}
