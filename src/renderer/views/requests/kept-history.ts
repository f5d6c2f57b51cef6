// What is remembered of the requests sent when the page is closed: their shape, in this browser, without
// a secret. Only values of names that are known to be harmless are written; all others are left empty,
// and fresh ones are put in when such a request is opened again.

import { isJsonObject } from '../../../oauth/json-object.ts';
import type { BodyFormat } from '../../../oauth/fields.ts';
import { statusWords } from '../../ui/status.ts';
import {
  EMPTY_BODY,
  EMPTY_DRAFT,
  splitTarget,
  withBodyRows,
  withBodyText,
  withHeaders,
  withQuery,
  withTarget,
  type Draft,
} from './draft.ts';
import { isBlank, rowOf, type FieldRow } from './field-rows.ts';
import type { Answer, Sent } from './requests-state.ts';
import { outcomeWords } from '../../sending/tally.ts';

const KEY = 'grantbench.requests';
const MOST_KEPT = 30;

const HARMLESS = new Set(
  (
    'grant_type response_type response_mode client_id redirect_uri audience resource scope prompt ' +
    'max_age token_type_hint code_challenge_method client_assertion_type post_logout_redirect_uri ' +
    'client_name redirect_uris grant_types token_endpoint_auth_method ' +
    'accept content-type accept-language origin referer user-agent'
  ).split(' '),
);

/** How a credential is said to be one; what follows goes. */
const SCHEME = /^(?:basic|bearer|dpop)(?= )/i;

/** Without its value; of a credential in a header, its scheme stays. */
export function emptied(row: FieldRow): FieldRow {
  const scheme = row.name.toLowerCase() === 'authorization' ? SCHEME.exec(row.value)?.[0] : null;
  return rowOf(row.name, scheme === undefined || scheme === null ? '' : `${scheme} `);
}

const harmless = (row: FieldRow): FieldRow =>
  HARMLESS.has(row.name.toLowerCase()) ? row : emptied(row);

/** The draft with nothing in it that could be a secret. Pure. */
export function withoutSecrets(draft: Draft): Draft {
  const [path] = splitTarget(draft.target);
  const bare = withHeaders({ ...draft, target: path, query: [] }, draft.headers.map(harmless));
  const asked = withQuery(bare, (draft.query ?? []).map(harmless));
  const { rows, format } = draft.body;
  if (rows === null) return { ...asked, body: { ...EMPTY_BODY, format } };
  return withBodyRows(asked, rows.map(harmless));
}

function wordsOf(answer: Answer): string {
  switch (answer.kind) {
    case 'exchange':
      return outcomeWords(answer.exchange);
    case 'run':
      return `${answer.run.tally.sent} sent`;
    case 'kept':
      return answer.words;
    case 'sending':
    case 'cancelled':
      return 'cancelled';
    case 'failed':
      return statusWords(0);
  }
}

interface Kept {
  readonly at: number;
  readonly words: string;
  readonly template: string | null;
  readonly client_id: string | null;
  readonly method: string;
  readonly target: string;
  readonly headers: readonly (readonly [string, string])[];
  readonly format: BodyFormat;
  readonly body: string;
}

function keep({ at, draft, answer }: Sent): Kept {
  const { template, client_id, method, target, headers, body } = withoutSecrets(draft);
  return {
    at,
    words: wordsOf(answer),
    template,
    client_id,
    method,
    target,
    headers: headers.filter((row) => !isBlank(row)).map(({ name, value }) => [name, value]),
    format: body.format,
    body: body.text,
  };
}

const isText = (value: unknown): value is string => typeof value === 'string';
const isTextOrNull = (value: unknown): value is string | null => value === null || isText(value);

function isKept(value: unknown): value is Kept {
  if (!isJsonObject(value)) return false;
  const { at, words, template, client_id, method, target, headers, format, body } = value;
  const isPair = (pair: unknown) => Array.isArray(pair) && pair.length === 2 && pair.every(isText);
  return (
    typeof at === 'number' &&
    [words, method, target, body].every(isText) &&
    [template, client_id].every(isTextOrNull) &&
    (format === 'json' || format === 'form') &&
    Array.isArray(headers) &&
    headers.every(isPair)
  );
}

/** The request as it was kept. */
export function draftOf(kept: Omit<Kept, 'at' | 'words'>): Draft {
  const { template, client_id, method, target, headers, format, body } = kept;
  const start = { ...EMPTY_DRAFT, template, client_id, method, body: { ...EMPTY_BODY, format } };
  const rows = headers.map(([name, value]) => rowOf(name, value));
  return withBodyText(withHeaders(withTarget(start, target), rows), body);
}

function read(): unknown {
  try {
    return JSON.parse(localStorage.getItem(KEY) ?? '[]');
  } catch {
    return [];
  }
}

/** What was remembered, newest first; whatever cannot be read is left out. */
export function keptHistory(): readonly Sent[] {
  const kept = read();
  if (!Array.isArray(kept)) return [];
  const good = kept.filter(isKept).slice(0, MOST_KEPT);
  return good.map((one, index) => ({
    id: good.length - index,
    at: one.at,
    draft: draftOf(one),
    answer: { kind: 'kept', words: one.words },
  }));
}

export function keepHistory(history: readonly Sent[]): void {
  const kept = history.slice(0, MOST_KEPT).map(keep);
  try {
    localStorage.setItem(KEY, JSON.stringify(kept));
  } catch {
    // Full, or not to be had: the session goes on without.
  }
}
