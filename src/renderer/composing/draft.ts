// The request being composed and its edits, as pure functions. The text is what is sent. Fields are parsed from it and
// written back to it; text that cannot be parsed as fields stays as typed.

import type { Client, SavedRequest } from '../../control/schemas.ts';
import { readBasic } from '../../oauth/client-authentication.ts';
import { type BodyFormat, FORM_TYPE, headerOf, JSON_TYPE } from '../../oauth/fields.ts';
import type { WireRequest } from '../../scenario/runner/scenario-sandbox.ts';
import {
  type FieldRow,
  headerValue,
  isBlank,
  parseRows,
  printRows,
  rowOf,
  valueIn,
  withHeader,
  mapRows,
} from './field-rows.ts';
import { masked } from '../exchange/secrets.ts';
import type { RequestText } from '../snippets/snippet.ts';
import { isSecretName } from '../../redact/names.ts';
import { createClientRedactor } from '../../redact/redactor.ts';

export interface DraftBody {
  readonly format: BodyFormat;
  readonly text: string;
  /** The text as fields; null when it cannot be parsed in this format. */
  readonly rows: readonly FieldRow[] | null;
  readonly view: 'fields' | 'raw';
}

export interface Draft {
  /** The id of the template that it was started from, or null. */
  readonly template: string | null;
  /** The client whose credentials are filled in. */
  readonly client_id: string | null;
  readonly method: string;
  /** Path and query, as sent. */
  readonly target: string;
  /** The query as fields; null when it cannot be parsed. */
  readonly query: readonly FieldRow[] | null;
  readonly headers: readonly FieldRow[];
  readonly body: DraftBody;
}

const TYPES: Record<BodyFormat, string> = { json: JSON_TYPE, form: FORM_TYPE };

const EMPTY_BODY: DraftBody = { format: 'form', text: '', rows: [], view: 'fields' };

export const EMPTY_DRAFT: Draft = {
  template: null,
  client_id: null,
  method: 'GET',
  target: '/',
  query: [],
  headers: [],
  body: EMPTY_BODY,
};

/** Splits a target at its first question mark. */
export function splitTarget(target: string): [path: string, query: string] {
  const mark = target.indexOf('?');
  return mark < 0 ? [target, ''] : [target.slice(0, mark), target.slice(mark + 1)];
}

export const withTarget = (draft: Draft, target: string): Draft => ({
  ...draft,
  target,
  query: parseRows(splitTarget(target)[1], 'form'),
});

/** The same rows keep the spelling of the query. */
export function withQuery(draft: Draft, query: readonly FieldRow[]): Draft {
  if (query === draft.query) return draft;
  const [path] = splitTarget(draft.target);
  const text = printRows(query, 'form');
  return { ...draft, query, target: text === '' ? path : `${path}?${text}` };
}

export const withHeaders = (draft: Draft, headers: readonly FieldRow[]): Draft => ({
  ...draft,
  headers,
});

const withBody = (draft: Draft, body: Partial<DraftBody>): Draft => ({
  ...draft,
  body: { ...draft.body, ...body },
});

export const withBodyView = (draft: Draft, view: DraftBody['view']): Draft =>
  withBody(draft, { view });

export const withBodyText = (draft: Draft, text: string): Draft =>
  withBody(draft, { text, rows: parseRows(text, draft.body.format) });

/** The same rows keep the spelling of the text. */
export const withBodyRows = (draft: Draft, rows: readonly FieldRow[]): Draft =>
  rows === draft.body.rows
    ? draft
    : withBody(draft, { rows, text: printRows(rows, draft.body.format) });

/** In a form, JSON values become strings. A body without fields keeps its text. */
function rewritten({ text, rows }: DraftBody, format: BodyFormat): Partial<DraftBody> {
  if (rows === null) return { format, rows: parseRows(text, format) };
  const isLiteral = ({ literal }: FieldRow) => literal && format === 'json';
  const fit = rows.map((row) => ({ ...row, source: null, literal: isLiteral(row) }));
  return { format, rows: fit, text: printRows(fit, format) };
}

/** Writes the same fields in another format, and sets its content type. */
export function withFormat(draft: Draft, format: BodyFormat): Draft {
  const changed = withBody(draft, rewritten(draft.body, format));
  return withHeaders(changed, withHeader(draft.headers, 'Content-Type', TYPES[format]));
}

/** The headers that are not blank, without the white space that HTTP ignores. */
const filledHeaders = ({ headers }: Draft): [string, string][] =>
  headers.filter((row) => !isBlank(row)).map(({ name, value }) => [name.trim(), value.trim()]);

/** A draft as data. Its fields are parsed from its texts. */
export type StoredDraft = Omit<SavedRequest, 'name' | 'saved_at'>;

export function storedDraft({
  template,
  client_id,
  method,
  target,
  headers,
  body,
}: Draft): StoredDraft {
  const filled = headers.filter((row) => !isBlank(row));
  return {
    template,
    client_id,
    method,
    path: target,
    headers: filled.map(({ name, value }) => [name, value]),
    format: body.format,
    body: body.text,
  };
}

export function draftOf(stored: StoredDraft): Draft {
  const { template, client_id, method, path, headers, format, body } = stored;
  const start = { ...EMPTY_DRAFT, template, client_id, method, body: { ...EMPTY_BODY, format } };
  const rows = headers.map(([name, value]) => rowOf(name, value));
  return withBodyText(withHeaders(withTarget(start, path), rows), body);
}

/** The format of a body: JSON when its content type or its first character says so, else a form. */
function formatOf(type: string | null, body: string): BodyFormat {
  if (/^[^;]*\bjson\b/i.test(type ?? '')) return 'json';
  return /^\s*[[{]/.test(body) ? 'json' : 'form';
}

/** The registered client that the request names. */
function clientIn(draft: Draft, clients: readonly Client[]): string | null {
  const named =
    valueIn(draft.body.rows, 'client_id') ??
    readBasic(headerValue(draft.headers, 'authorization'))?.client_id ??
    valueIn(draft.query, 'client_id');
  return clients.find(({ client_id }) => client_id === named)?.client_id ?? null;
}

/** A sent request as a draft, with fields if its texts can be parsed. */
export function composedOf(request: WireRequest, clients: readonly Client[]): Draft {
  const { method, path } = request;
  const body = typeof request.body === 'string' ? request.body : '';
  const headers = request.headers.map(([name, value]): [string, string] => [name, value]);
  const format = formatOf(headerOf(headers, 'content-type'), body);
  const draft = draftOf({ template: null, client_id: null, method, path, headers, format, body });
  const view = draft.body.rows === null ? 'raw' : 'fields';
  return { ...withBodyView(draft, view), client_id: clientIn(draft, clients) };
}

/** The request as it is sent. An empty text means no body. */
export const wireOf = (draft: Draft): WireRequest => ({
  method: draft.method,
  path: draft.target,
  headers: filledHeaders(draft),
  body: draft.body.text,
});

export const requestTextOf = (draft: Draft, origin: string): RequestText => ({
  method: draft.method,
  url: `${origin}${draft.target}`,
  headers: filledHeaders(draft),
  // On the wire, half of a surrogate pair becomes U+FFFD.
  body: draft.body.text.toWellFormed(),
});

const maskedHeader = ([name, value]: readonly [string, string]): [string, string] => {
  const [, shown = value] = /^[^:]*: (.*)$/s.exec(masked(`${name}: ${value}`)) ?? [];
  return [name, shown];
};

/** The request for display, with client secrets masked. */
export const maskedText = (request: RequestText): RequestText => ({
  ...request,
  url: masked(request.url),
  headers: request.headers.map(maskedHeader),
  body: masked(request.body),
});

/** Problems by field. The control API uses the same field names, so its problems are shown in the same places. */
export type Problems = Readonly<Record<string, string>>;

const TOKEN = /^[!#$%&'*+.^_`|~0-9A-Za-z-]+$/;
const VALUE = /^[\t\x20-\x7e\x80-\xff]*$/;
const TARGET = /^\/[\x21-\x7e]*$/;
/** Headers about the connection, which only the sender can set. */
export const FRAMING = ['transfer-encoding', 'connection', 'upgrade', 'expect', 'trailer'];

function headerProblem(name: string, value: string): string | null {
  if (name === '') return 'A header needs a name.';
  if (!TOKEN.test(name))
    return 'A header name must not contain spaces or any of ( ) , / : ; < = > ? @.';
  if (!VALUE.test(value))
    return 'A header value must not contain line breaks or other control characters.';
  if (FRAMING.includes(name.toLowerCase())) return 'Grantbench sets this header.';
  return null;
}

/** The problems that prevent sending, by field: `method`, `path`, `headers.0` for the first row. */
export function problemsOf({ method, target, headers }: Draft): Problems {
  const problems: Record<string, string> = {};
  if (!/^[A-Z-]+$/.test(method)) problems['method'] = 'A method must be a word in capital letters.';
  if (!TARGET.test(target)) {
    problems['path'] =
      'A path must begin with / and contain only visible ASCII; percent-encode the rest.';
  }
  headers.forEach((row, index) => {
    const problem = isBlank(row) ? null : headerProblem(row.name.trim(), row.value.trim());
    if (problem !== null) problems[`headers.${index}`] = problem;
  });
  return problems;
}

// Removes secrets from drafts before they are stored: in the history of this browser, or saved by name. When a stored
// request is opened, current credentials are filled in. Pure.

interface Filter {
  readonly field: (row: FieldRow) => FieldRow;
  /** Returns what remains of a body without fields. */
  readonly text: (text: string) => string;
}

/** Removes a query that cannot be parsed. */
function filteredBy({ field, text }: Filter, draft: Draft): Draft {
  const { query, body } = draft;
  const bare = withHeaders(draft, mapRows(draft.headers, field));
  const [path] = splitTarget(draft.target);
  const asked = query === null ? withTarget(bare, path) : withQuery(bare, mapRows(query, field));
  return body.rows === null
    ? withBodyText(asked, text(body.text))
    : withBodyRows(asked, mapRows(body.rows, field));
}

/** The scheme of an Authorization header, after which the credential is removed. */
const SCHEME = /^(?:basic|bearer|dpop)(?= )/i;

/** Removes the value. An Authorization header keeps its scheme. */
function emptied(row: FieldRow): FieldRow {
  const scheme = row.name.toLowerCase() === 'authorization' ? SCHEME.exec(row.value)?.[0] : null;
  return rowOf(row.name, scheme === undefined || scheme === null ? '' : `${scheme} `);
}

// prettier-ignore
const HARMLESS = new Set([
  'grant_type', 'response_type', 'response_mode', 'client_id', 'redirect_uri', 'audience',
  'resource', 'scope', 'prompt', 'max_age', 'token_type_hint', 'code_challenge_method',
  'client_assertion_type', 'post_logout_redirect_uri', 'client_name', 'redirect_uris',
  'grant_types', 'token_endpoint_auth_method', 'accept', 'content-type', 'accept-language',
  'origin', 'referer', 'user-agent',
]);

/** Keeps only the values of names that are known to be harmless. */
export const withHarmless = (draft: Draft): Draft =>
  filteredBy(
    {
      field: (row) => (HARMLESS.has(row.name.toLowerCase()) ? row : emptied(row)),
      text: () => '',
    },
    draft,
  );

/** Keeps all values except secrets, which are recognized by their value or their name. */
export function savedRequestOf(
  name: string,
  draft: Draft,
  clients: readonly Client[],
  saved_at: string,
): SavedRequest {
  const { words, requestBody } = createClientRedactor(clients);
  const isSecret = (row: FieldRow) => isSecretName(row.name) || words(row.value) !== row.value;
  const kept = filteredBy(
    {
      field: (row) => (row.value !== '' && isSecret(row) ? emptied(row) : row),
      text: (text) => (requestBody(text) === text ? text : ''),
    },
    draft,
  );
  return { name, saved_at, ...storedDraft(kept) };
}
