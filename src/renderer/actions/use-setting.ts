// One setting, edited in place: validated before it is sent, saved at once, and shown with the reason if it is
// rejected. null restores the default. Typed text is saved when the field loses focus or on Enter; Escape discards it.
// The view decides what the field looks like.

import { useTimeout } from '@mantine/hooks';
import { useRef, useState, type KeyboardEvent, type ReactNode } from 'react';
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

/** The problem that the engine would find, as it merges the same way; null if the value is valid. */
function problemWith(settings: Settings, path: SettingPath, value: unknown): ReactNode {
  const changed = mergePatch(settings, patchOf(path, value));
  return problemsByField(settingsSchema, changed)[path] ?? null;
}

export function useSetting(path: SettingPath) {
  const value = usePage((state) => readPath(state.settings, path));
  const [error, setError] = useState<ReactNode>(null);
  /** True for a moment after saving. */
  const [saved, setSaved] = useState(false);
  /** The value in the latest request; null when it has been answered. */
  const sent = useRef<{ readonly value: unknown } | null>(null);
  const { start: endSaved } = useTimeout(() => setSaved(false), SAVED_MS);
  /** Resolves to whether the value is in force. */
  const commit = async (wanted: unknown) => {
    const { settings } = page.getState();
    const problem = settings === null ? null : problemWith(settings, path, wanted);
    setError(problem);
    const newest = sent.current === null ? value : sent.current.value;
    if (problem !== null || JSON.stringify(wanted) === JSON.stringify(newest))
      return problem === null;
    const order = { value: wanted };
    sent.current = order;
    try {
      await changeSettings(patchOf(path, wanted));
      setSaved(true);
      endSaved();
      return true;
    } catch (refusal) {
      setError(problemSentence(problemOf(refusal)));
      return false;
    } finally {
      if (sent.current === order) sent.current = null;
    }
  };
  return { value, error, saved, commit, clearError: () => setError(null) };
}

/** A list is typed as its values, separated by spaces. */
function textOf(value: unknown): string | number {
  if (Array.isArray(value)) return value.join(' ');
  return typeof value === 'number' || typeof value === 'string' ? value : '';
}

/** The text being edited, and the saved value it replaces. If a newer value is saved elsewhere, the edit is void. */
interface Edit {
  readonly of: string | number;
  readonly typed: string | number;
}

/**
 * A setting that is typed. The text is kept until it is saved, and also when it is rejected.
 * @param read parses the text
 * @param emptied what an empty field is saved as; with null, it then shows the default
 */
export function useTypedSetting(
  path: SettingPath,
  read: (typed: string | number) => unknown,
  emptied: unknown = null,
) {
  const { value, error, saved, commit, clearError } = useSetting(path);
  const known = textOf(value);
  const [edit, setEdit] = useState<Edit | null>(null);
  const typed = edit?.of === known ? edit.typed : known;
  const needs = useFieldNeed('connection');
  const save = async () => {
    if (obstacleTo('connection') !== null) return;
    if (!(await commit(typed === '' ? emptied : read(typed)))) return;
    // Text typed during the request now edits the value that was just saved.
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
    clearError();
  };
  return {
    saved,
    typed,
    setTyped: (now: string | number) => setEdit({ of: known, typed: now }),
    /** Props for the input, except its label and `onChange`. */
    field: { value: typed, error, onBlur: () => void save(), onKeyDown, ...needs },
  };
}
