// The shape of a workspace, its checks, and the settings that it contains.

import { isJsonObject } from '../../json.ts';
import { IN_WORDS, type Problem, problemsOf, within } from '../../core/records/problems.ts';
import { mergePatch } from '../../core/records/merge-patch.ts';
import type { Settings, Shape, Workspace } from '../../core/records/schemas.ts';
import { type ResolvedShape, resolveShape, wholeShape } from '../../core/shape/resolve.ts';
import { withStandardGrants } from '../../core/registry/registration.ts';
import { DEMO_WORKSPACE } from './demo.ts';

/** @param shape a checked shape. @throws Error if it was not checked */
export function resolvedShape(shape: Shape): ResolvedShape {
  const resolved = resolveShape(shape);
  if ('value' in resolved) return resolved.value;
  throw new Error('The shape was not checked.');
}

/** Returns problems of combined members of a shape, and of its settings. */
export async function shapeProblems(shape: Shape | undefined): Promise<readonly Problem[]> {
  if (shape === undefined) return [];
  const resolved = resolveShape(shape);
  const { settingsSchema } = await import('../../core/records/schemas.ts');
  const settings = mergePatch({}, wholeShape(shape).settings ?? {});
  const read = settingsSchema.safeParse(settings, IN_WORDS);
  const ofSettings = read.success ? [] : problemsOf(read.error.issues, settings);
  return within('shape', [
    ...('problems' in resolved ? resolved.problems : []),
    ...within('settings', ofSettings),
  ]);
}

/** Returns the document with the standard names of the grants of its clients that the shape names otherwise. */
export function withGrantsOf(shape: Shape, data: unknown): unknown {
  if (!isJsonObject(data) || !Array.isArray(data['clients'])) return data;
  const names = new Map(Object.entries(wholeShape(shape).grant_types ?? {}));
  const standard = (client: unknown) =>
    isJsonObject(client) ? withStandardGrants(client, names) : client;
  return { ...data, clients: data['clients'].map(standard) };
}

/**
 * Returns the document with the settings of its shape where it sets none, and with the standard names of grants that
 * the shape names otherwise; other data unchanged.
 */
export async function withShapeMembers(data: unknown): Promise<unknown> {
  if (!isJsonObject(data) || data['shape'] === undefined) return data;
  const { settingsSchema, shapeSchema } = await import('../../core/records/schemas.ts');
  const read = shapeSchema.safeParse(data['shape']);
  const { settings = {} } = data;
  if (!read.success || !isJsonObject(settings)) return data;
  const { settings: ofShape = {} } = wholeShape(read.data);
  const own = mergePatch({}, ofShape);
  // Problems of these settings are reported for the shape, not for the workspace.
  if (!settingsSchema.safeParse(own).success) return data;
  return withGrantsOf(read.data, { ...data, settings: mergePatch(own, settings) });
}

/** Returns the unchanged settings of the former shape as they were before. */
function withoutFormer(settings: unknown, former: unknown, before: unknown): unknown {
  if (!isJsonObject(settings) || !isJsonObject(former)) {
    return JSON.stringify(settings) === JSON.stringify(former) ? before : settings;
  }
  const inner = isJsonObject(before) ? before : {};
  const members = Object.entries(settings).map(([name, value]) => [
    name,
    Object.hasOwn(former, name) ? withoutFormer(value, former[name], inner[name]) : value,
  ]);
  return Object.fromEntries(members);
}

/**
 * Returns the settings after `next` replaces `former`.
 * @param before the settings before any shape was set
 */
export function settingsWith(
  settings: Settings,
  former: Shape | null,
  next: Shape | null,
  before: Settings = DEMO_WORKSPACE.settings,
): Settings {
  const old = former === null ? undefined : wholeShape(former).settings;
  const bare = old === undefined ? settings : withoutFormer(settings, old, before);
  return mergePatch(bare, next === null ? {} : (wholeShape(next).settings ?? {})) as Settings;
}

export function withShape(workspace: Workspace, shape: Shape): Workspace {
  const settings = settingsWith(workspace.settings, workspace.shape ?? null, shape);
  return { ...workspace, settings, shape };
}
