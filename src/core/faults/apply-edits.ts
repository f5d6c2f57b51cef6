// Applies edits of a response (docs/reference/faults.md) to a JSON document and to the parameters of an authorization
// response. The input is never mutated; an edit of a missing member changes nothing.

import { isJsonObject, textOf } from '../../json.ts';
import type { Edit } from '../records/edit.ts';

type Json = unknown;
/** What is not there: no JSON value. */
const NOTHING = Symbol('nothing');

const swapCase = (text: string): string =>
  Array.from(text, (letter) =>
    letter === letter.toLowerCase() ? letter.toUpperCase() : letter.toLowerCase(),
  ).join('');

/** @param now whole seconds of the sandbox clock */
function changed(value: Json, edit: Edit, now: number): Json {
  if (edit.do === 'set') return edit.value;
  if (edit.do === 'from_now') return now + edit.seconds;
  if (value === NOTHING) return NOTHING;
  switch (edit.do) {
    case 'remove':
      return NOTHING;
    case 'append':
      return textOf(value) + edit.text;
    case 'add':
      return [...(Array.isArray(value) ? (value as Json[]) : [value]), edit.value];
    case 'list':
      return Array.isArray(value) ? value : [value];
    case 'swap_case':
      return typeof value === 'string' ? swapCase(value) : value;
    case 'to_text':
      return textOf(value);
  }
}

/** Of a JSON Pointer (RFC 6901 4), or the name of a member. */
const stepsOf = (member: string): readonly string[] =>
  member.startsWith('/')
    ? member
        .slice(1)
        .split('/')
        .map((step) => step.replaceAll('~1', '/').replaceAll('~0', '~'))
    : [member];

type Change = (value: Json) => Json;

function inList(list: readonly Json[], step: string, change: Change): Json {
  const index = /^(0|[1-9]\d{0,5})$/.test(step) ? Number(step) : -1;
  if (index < 0 || index >= list.length) return list;
  const value = change(list[index]);
  return value === NOTHING ? list.toSpliced(index, 1) : list.with(index, value);
}

function inObject(members: Readonly<Record<string, Json>>, step: string, change: Change): Json {
  const value = change(Object.hasOwn(members, step) ? members[step] : NOTHING);
  const { [step]: _former, ...others } = members;
  return value === NOTHING ? others : { ...members, [step]: value };
}

function at(value: Json, [step, ...rest]: readonly string[], change: Change): Json {
  if (step === undefined) return change(value);
  const deeper: Change = (inner) => at(inner, rest, change);
  if (Array.isArray(value)) return inList(value, step, deeper);
  return isJsonObject(value) ? inObject(value, step, deeper) : value;
}

/** The document after the edits. @param now whole seconds of the sandbox clock */
export const editJson = (document: Json, edits: readonly Edit[], now: number): Json =>
  edits.reduce<Json>(
    (edited, edit) => at(edited, stepsOf(edit.member), (value) => changed(value, edit, now)),
    document,
  );

export type Pairs = readonly (readonly [name: string, value: string])[];

function editPair(pairs: Pairs, edit: Edit, now: number): Pairs {
  if (edit.do === 'add') {
    const present = pairs.some(([name]) => name === edit.member);
    return present ? [...pairs, [edit.member, textOf(edit.value)]] : pairs;
  }
  const index = pairs.findIndex(([name]) => name === edit.member);
  const value = changed(index < 0 ? NOTHING : pairs[index]?.[1], edit, now);
  if (value === NOTHING) return pairs.filter((_, other) => other !== index);
  const pair = [edit.member, textOf(value)] as const;
  return index < 0 ? [...pairs, pair] : pairs.with(index, pair);
}

/** The parameters after the edits. @param now whole seconds of the sandbox clock */
export const editParameters = (pairs: Pairs, edits: readonly Edit[], now: number): Pairs =>
  edits.reduce((edited, edit) => editPair(edited, edit, now), pairs);
