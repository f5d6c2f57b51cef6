// The shape of a workspace: checked with it, and the settings that come with it.

import { isJsonObject } from '../../core/records/json.ts';
import { below, IN_WORDS, type Problem, problemsOf } from '../../core/records/problems.ts';
import { mergePatch } from '../../core/records/merge-patch.ts';
import type { Settings, Shape, Workspace } from '../../core/records/schemas.ts';
import { type ResolvedShape, resolveShape, wholeShape } from '../../core/shape/resolve.ts';
import { DEMO_WORKSPACE } from './demo.ts';

/** @param shape checked before. @throws Error for one that was not */
export function resolvedShape(shape: Shape): ResolvedShape {
  const resolved = resolveShape(shape);
  if ('value' in resolved) return resolved.value;
  throw new Error('the shape was not checked');
}

/** What is wrong between the members of a shape, and with its settings. */
export async function shapeProblems(shape: Shape | undefined): Promise<readonly Problem[]> {
  if (shape === undefined) return [];
  const resolved = resolveShape(shape);
  const { settingsSchema } = await import('../../core/records/schemas.ts');
  const settings = mergePatch({}, wholeShape(shape).settings ?? {});
  const read = settingsSchema.safeParse(settings, IN_WORDS);
  const ofSettings = read.success ? [] : problemsOf(read.error.issues, settings);
  return [
    ...('problems' in resolved ? resolved.problems : []),
    ...ofSettings.map(({ path, message }) => ({ path: below('settings', path), message })),
  ].map(({ path, message }) => ({ path: below('shape', path), message }));
}

/** The document with the settings of its shape where it has none of its own; any data as it is. */
export async function withShapeSettings(data: unknown): Promise<unknown> {
  if (!isJsonObject(data) || data['shape'] === undefined) return data;
  const { settingsSchema, shapeSchema } = await import('../../core/records/schemas.ts');
  const read = shapeSchema.safeParse(data['shape']);
  const { settings = {} } = data;
  if (!read.success || !isJsonObject(settings)) return data;
  const own = mergePatch({}, wholeShape(read.data).settings ?? {});
  // What is wrong with them is told with the shape, not as if the workspace had set it.
  if (!settingsSchema.safeParse(own).success) return data;
  return { ...data, settings: mergePatch(own, settings) };
}

const DEFAULTS: Readonly<Record<string, unknown>> = DEMO_WORKSPACE.settings;

/** Settings that the former shape brought and that nobody has changed since, at their defaults again. */
function withoutFormer(settings: unknown, former: unknown, defaults: unknown): unknown {
  if (!isJsonObject(settings) || !isJsonObject(former)) {
    return JSON.stringify(settings) === JSON.stringify(former) ? defaults : settings;
  }
  const inner = isJsonObject(defaults) ? defaults : {};
  const members = Object.entries(settings).map(([name, value]) => [
    name,
    Object.hasOwn(former, name) ? withoutFormer(value, former[name], inner[name]) : value,
  ]);
  return Object.fromEntries(members);
}

/** The settings once `next` is in place of `former`. */
export function settingsWith(
  settings: Settings,
  former: Shape | null,
  next: Shape | null,
): Settings {
  const old = former === null ? undefined : wholeShape(former).settings;
  const bare = old === undefined ? settings : withoutFormer(settings, old, DEFAULTS);
  return mergePatch(bare, next === null ? {} : (wholeShape(next).settings ?? {})) as Settings;
}

/** The workspace with this shape in place of its own. */
export function withShape(workspace: Workspace, shape: Shape): Workspace {
  const settings = settingsWith(workspace.settings, workspace.shape ?? null, shape);
  return { ...workspace, settings, shape };
}
