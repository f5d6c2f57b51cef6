// JSON as a person types it into a field: the value, or its first problem with the line.

import { readPlacedJson } from '../../core/records/json-text.ts';

export type TypedJson =
  | { readonly ok: true; readonly value: unknown; readonly lineOf: (path: string) => number }
  | { readonly ok: false; readonly problem: string };

export function readTypedJson(text: string): TypedJson {
  const { value, problems, placeOf } = readPlacedJson(text);
  const lineOf = (path: string) => placeOf(path).line;
  const [first] = problems;
  if (first === undefined) return { ok: true, value, lineOf };
  const { path, message } = first;
  const at = `Line ${lineOf(path)}`;
  return { ok: false, problem: path === '' ? `${at} ${message}.` : `${at}: “${path}” ${message}.` };
}
