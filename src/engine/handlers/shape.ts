// The imitated provider.

import { shapeSchema, type ShapeState } from '../../control/schemas.ts';
import { PROVIDERS, PROVIDER_WORDS } from '../../control/names.ts';
import type { Shape } from '../../core/records/schemas.ts';
import { describeShape } from '../../core/shape/changes.ts';
import type { EngineParts } from '../parts.ts';
import { resolvedShape, settingsWith, shapeProblems } from '../workspace/shape.ts';
import { invalid } from './control-error.ts';
import { os } from './os.ts';
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
  const change = async (next: Shape | null) => {
    const settings = () => settingsWith(service.settings(), service.shape()?.given ?? null, next);
    await keys.ensure(settings().signing_alg);
    // Read again, because settings may have changed while the key was generated.
    const set = settings();
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
