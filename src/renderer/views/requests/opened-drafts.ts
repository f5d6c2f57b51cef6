// Drafts made of requests that come from elsewhere: a pasted command, a captured exchange. Pure.

import type { Client, SendRequest, Settings } from '../../../control/schemas.ts';
import type { BodyFormat } from '../../../oauth/fields.ts';
import { readBasic } from '../../../oauth/client-authentication.ts';
import { EMPTY_DRAFT, withBodyText, withHeaders, withTarget, type Draft } from './draft.ts';
import { headerValue, parseRows, rowOf, valueIn } from './field-rows.ts';
import { ourTarget } from './paste/our-target.ts';
import { parseCurl } from './paste/parse-curl.ts';
import type { Note } from './requests-state.ts';
import { servedPaths } from './templates.ts';

/** As it is typed, else as it looks: what is meant as JSON is read as JSON whatever its type says. */
function formatOf(type: string | null, body: string): BodyFormat {
  if (/^[^;]*\bjson\b/i.test(type ?? '')) return 'json';
  return /^\s*[[{]/.test(body) ? 'json' : 'form';
}

/** Whose request it is, by what it says itself. */
function clientIn(draft: Draft, clients: readonly Client[]): string | null {
  const named =
    valueIn(draft.body.rows, 'client_id') ??
    readBasic(headerValue(draft.headers, 'authorization'))?.client_id ??
    valueIn(draft.query, 'client_id');
  return clients.find(({ client_id }) => client_id === named)?.client_id ?? null;
}

type Pairs = readonly (readonly [name: string, value: string])[];

const pairsOf = (headers: SendRequest['headers']): Pairs =>
  Array.isArray(headers) ? headers : Object.entries(headers ?? {});

/** A request as it was sent, with its fields where it has some. */
export function composedOf(request: SendRequest, clients: readonly Client[]): Draft {
  const { method = 'POST', path, body = '' } = request;
  const rows = pairsOf(request.headers).map(([name, value]) => rowOf(name, value));
  const format = formatOf(headerValue(rows, 'content-type'), body);
  const view = parseRows(body, format) === null ? 'raw' : 'fields';
  const start = { ...EMPTY_DRAFT, method, body: { ...EMPTY_DRAFT.body, format, view } } as const;
  const draft = withBodyText(withHeaders(withTarget(start, path), rows), body);
  return { ...draft, client_id: clientIn(draft, clients) };
}

/** The host sets these, and accepts no others. */
const SET_BY_SENDER = ['content-length', 'connection', 'transfer-encoding', 'expect', 'upgrade'];

/**
 * A curl command, asking this server.
 * @throws Unreadable when there is none to be made out
 */
export function pastedDraft(
  text: string,
  issuer: string,
  settings: Settings | null,
  clients: readonly Client[],
): { draft: Draft; notes: readonly Note[] } {
  const { method, origin, target, headers, body, remarks } = parseCurl(text);
  const ours = ourTarget(origin, target, issuer, servedPaths(settings));
  const kept = headers.filter(([name]) => !SET_BY_SENDER.includes(name.toLowerCase()));
  const left = headers.filter((header) => !kept.includes(header)).map(([name]) => name);
  const path = ours.target;
  const draft = composedOf({ method, path, headers: kept.map(([...pair]) => pair), body }, clients);
  const notes: Note[] = [...ours.remarks, ...remarks];
  if (left.length > 0) {
    notes.push({
      kind: 'changed',
      text: `Left out, because Grantbench sets them: ${left.join(', ')}.`,
    });
  }
  return { draft, notes };
}
