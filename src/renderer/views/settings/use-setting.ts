// One value of the settings by its path: checked before it is sent, saved at once, its refusal kept
// beside it.

import { useEffect, useState } from 'react';
import { settingsSchema, type Settings } from '../../../control/schemas.ts';
import { changeSettings } from '../../actions/sandbox.ts';
import { problemOf } from '../../connection/control.ts';
import { page, usePage } from '../../connection/state.ts';
import { sentence } from '../../ui/problems.ts';

const SAVED_MS = 3000;

type Json = Record<string, unknown>;

export function readPath(settings: Settings, path: string): unknown {
  return path
    .split('.')
    .reduce<unknown>((inside, name) => (inside as Json | undefined)?.[name], settings);
}

/** `lifetimes.code` and 60 make `{lifetimes: {code: 60}}`. */
export function patchOf(path: string, value: unknown): Json {
  const [name = '', ...rest] = path.split('.');
  return { [name]: rest.length === 0 ? value : patchOf(rest.join('.'), value) };
}

const merged = (base: Json, patch: Json): Json => {
  const result = { ...base };
  for (const [name, value] of Object.entries(patch)) {
    const inner = base[name];
    const nested = typeof value === 'object' && value !== null && typeof inner === 'object';
    result[name] = nested ? merged(inner as Json, value as Json) : value;
  }
  return result;
};

function problemWith(path: string, value: unknown): string | null {
  const { settings } = page.getState();
  if (settings === null) return null;
  const read = settingsSchema.safeParse(merged(settings, patchOf(path, value)));
  const issue = read.error?.issues.find((found) => found.path.join('.') === path);
  return issue === undefined ? null : sentence(issue.message);
}

export interface SettingHandle {
  readonly value: unknown;
  readonly error: string | null;
  /** For a moment after it was saved. */
  readonly saved: boolean;
  readonly commit: (value: unknown) => Promise<void>;
}

export function useSetting(path: string): SettingHandle {
  const value = usePage((state) =>
    state.settings === null ? undefined : readPath(state.settings, path),
  );
  const [error, setError] = useState<string | null>(null);
  const [saved, setSaved] = useState(false);
  useEffect(() => {
    if (!saved) return undefined;
    const timer = setTimeout(() => setSaved(false), SAVED_MS);
    return () => clearTimeout(timer);
  }, [saved]);
  const commit = async (wanted: unknown) => {
    const problem = problemWith(path, wanted);
    setError(problem);
    if (problem !== null || wanted === value) return;
    try {
      await changeSettings(patchOf(path, wanted));
      setSaved(true);
    } catch (refusal) {
      setError(sentence(problemOf(refusal).message));
    }
  };
  return { value, error, saved, commit };
}
