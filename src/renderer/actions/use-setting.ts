// One value of the settings by its path, edited in place: checked before it is sent, saved at once, its
// refusal kept beside it. null puts it back to its default. What is typed is saved as the field is left or Enter pressed; Escape takes it
// back. How the field looks is the view's business.

import { useEffect, useRef, useState, type KeyboardEvent, type ReactNode } from 'react';
import type { PathIn } from '../../control/fields.ts';
import { settingsSchema, type Settings } from '../../control/schemas.ts';
import { mergePatch } from '../../control/names.ts';
import { problemOf } from '../connection/control.ts';
import { obstacleTo } from '../connection/reach.ts';
import { page, usePage } from '../connection/state.ts';
import { useFieldNeed } from '../ui/use-need.ts';
import { problemsByField, problemSentence } from '../ui/problems.ts';
import { changeSettings } from './sandbox.ts';

const SAVED_MS = 3000;

type Json = Record<string, unknown>;
type SettingPath = PathIn<Settings>;

function readPath(settings: Settings | null, path: string): unknown {
  return path
    .split('.')
    .reduce<unknown>((inside, name) => (inside as Json | undefined)?.[name], settings);
}

/** `lifetimes.code` and 60 make `{lifetimes: {code: 60}}`. */
function patchOf(path: string, value: unknown): Json {
  const [name = '', ...rest] = path.split('.');
  return { [name]: rest.length === 0 ? value : patchOf(rest.join('.'), value) };
}

/** What the engine would refuse, which merges in the same way; null when it would take the value. */
function problemWith(settings: Settings, path: SettingPath, value: unknown): ReactNode {
  const changed = mergePatch(settings, patchOf(path, value));
  return problemsByField(settingsSchema, changed)[path] ?? null;
}

interface SettingHandle {
  readonly value: unknown;
  readonly error: ReactNode;
  /** For a moment after it was saved. */
  readonly saved: boolean;
  /** Resolves to whether the value is in force now. */
  readonly commit: (value: unknown) => Promise<boolean>;
  /** Forgets a refusal. */
  readonly forgive: () => void;
}

export function useSetting(path: SettingPath): SettingHandle {
  const value = usePage((state) => readPath(state.settings, path));
  const [error, setError] = useState<ReactNode>(null);
  const [saved, setSaved] = useState(false);
  /** What was sent last, until it is answered. */
  const sent = useRef<{ readonly value: unknown } | null>(null);
  useEffect(() => {
    if (!saved) return undefined;
    const timer = setTimeout(() => setSaved(false), SAVED_MS);
    return () => clearTimeout(timer);
  }, [saved]);
  const commit = async (wanted: unknown) => {
    const { settings } = page.getState();
    const problem = settings === null ? null : problemWith(settings, path, wanted);
    setError(problem);
    const newest = sent.current === null ? value : sent.current.value;
    if (problem !== null || wanted === newest) return problem === null;
    const order = { value: wanted };
    sent.current = order;
    try {
      await changeSettings(patchOf(path, wanted));
      setSaved(true);
      return true;
    } catch (refusal) {
      setError(problemSentence(problemOf(refusal)));
      return false;
    } finally {
      if (sent.current === order) sent.current = null;
    }
  };
  return { value, error, saved, commit, forgive: () => setError(null) };
}

const textOf = (value: unknown): string | number =>
  typeof value === 'number' || typeof value === 'string' ? value : '';

/** What is typed over which saved value; a newer value that was saved elsewhere makes it void. */
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
    readonly error: ReactNode;
    readonly onBlur: () => void;
    readonly onKeyDown: (event: KeyboardEvent<HTMLInputElement>) => void;
    /** While it cannot be saved; why is in the title. */
    readonly readOnly?: true;
    readonly title?: string;
  };
}

/**
 * A setting that is typed: kept as typed until it is saved, and after a refusal too.
 * @param read what the typed text means; an empty field is saved as null, and then shows the default
 */
export function useTypedSetting(
  path: SettingPath,
  read: (typed: string | number) => unknown,
): TypedSettingHandle {
  const { value, error, saved, commit, forgive } = useSetting(path);
  const known = textOf(value);
  const [edit, setEdit] = useState<Edit | null>(null);
  const typed = edit?.of === known ? edit.typed : known;
  const needs = useFieldNeed('connection');
  const save = async () => {
    if (obstacleTo('connection') !== null) return;
    if (!(await commit(typed === '' ? null : read(typed)))) return;
    // What was typed meanwhile is typed over the value that was just saved.
    setEdit((now) =>
      now === null || now === edit
        ? null
        : { ...now, of: textOf(readPath(page.getState().settings, path)) },
    );
  };
  const onKeyDown = ({ key }: KeyboardEvent<HTMLInputElement>) => {
    if (key === 'Enter') void save();
    if (key !== 'Escape') return;
    setEdit(null);
    forgive();
  };
  return {
    saved,
    typed,
    setTyped: (now) => setEdit({ of: known, typed: now }),
    field: { value: typed, error, onBlur: () => void save(), onKeyDown, ...needs },
  };
}
