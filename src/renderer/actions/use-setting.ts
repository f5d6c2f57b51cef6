// One value of the settings by its path, edited in place: checked before it is sent, saved at once, its
// refusal kept beside it. What is typed is saved as the field is left or Enter pressed; Escape takes it
// back. How the field looks is the view's business.

import { useEffect, useState, type KeyboardEvent } from 'react';
import { IN_WORDS, settingsSchema, type Settings } from '../../control/schemas.ts';
import { problemOf } from '../connection/control.ts';
import { page, usePage } from '../connection/state.ts';
import { sentence } from '../ui/problems.ts';
import { changeSettings } from './sandbox.ts';

const SAVED_MS = 3000;

type Json = Record<string, unknown>;

function readPath(settings: Settings, path: string): unknown {
  return path
    .split('.')
    .reduce<unknown>((inside, name) => (inside as Json | undefined)?.[name], settings);
}

/** `lifetimes.code` and 60 make `{lifetimes: {code: 60}}`. */
function patchOf(path: string, value: unknown): Json {
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
  const read = settingsSchema.safeParse(merged(settings, patchOf(path, value)), IN_WORDS);
  const issue = read.error?.issues.find((found) => found.path.join('.') === path);
  return issue === undefined ? null : sentence(issue.message);
}

interface SettingHandle {
  readonly value: unknown;
  readonly error: string | null;
  /** For a moment after it was saved. */
  readonly saved: boolean;
  readonly commit: (value: unknown) => Promise<void>;
  /** Forgets a refusal. */
  readonly forgive: () => void;
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
  return { value, error, saved, commit, forgive: () => setError(null) };
}

/** What is typed over which saved value; a newer saved value makes it void. */
interface Edit {
  readonly of: string | number;
  readonly typed: string | number;
}

interface TypedSettingHandle {
  readonly saved: boolean;
  readonly typed: string | number;
  readonly setTyped: (typed: string | number) => void;
  /** For the input, beside what it is called and its `onChange`. */
  readonly field: {
    readonly value: string | number;
    readonly error: string | null;
    readonly onBlur: () => void;
    readonly onKeyDown: (event: KeyboardEvent<HTMLInputElement>) => void;
  };
}

/**
 * A setting that is typed: kept as typed until it is saved, and after a refusal too.
 * @param read what the typed text means; an empty field is saved as null
 */
export function useTypedSetting(
  path: string,
  read: (typed: string | number) => unknown,
): TypedSettingHandle {
  const { value, error, saved, commit, forgive } = useSetting(path);
  const known = typeof value === 'number' || typeof value === 'string' ? value : '';
  const [edit, setEdit] = useState<Edit | null>(null);
  const typed = edit?.of === known ? edit.typed : known;
  const save = () => void commit(typed === '' ? null : read(typed));
  const onKeyDown = ({ key }: KeyboardEvent<HTMLInputElement>) => {
    if (key === 'Enter') save();
    if (key !== 'Escape') return;
    setEdit(null);
    forgive();
  };
  return {
    saved,
    typed,
    setTyped: (now) => setEdit({ of: known, typed: now }),
    field: { value: typed, error, onBlur: save, onKeyDown },
  };
}
