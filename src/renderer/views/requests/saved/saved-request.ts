// A draft as a request to be saved by name, and back. Values that are secrets, by what they are or what they are
// called, are left empty; all others stay as they were written. Pure.

import type { Client, SavedRequest } from '../../../../control/schemas.ts';
import { createKnownValues } from '../../../../redact/known-values.ts';
import { isSecretName } from '../../../../redact/names.ts';
import { createRedactor } from '../../../../redact/redactor.ts';
import {
  splitTarget,
  withBodyRows,
  withBodyText,
  withHeaders,
  withQuery,
  withTarget,
  type Draft,
} from '../draft.ts';
import { isBlank, type FieldRow } from '../field-rows.ts';
import { draftOf, emptied } from '../kept-history.ts';

interface Reader {
  readonly field: (row: FieldRow) => FieldRow;
  /** The text, or none where a secret is in it. */
  readonly text: (text: string) => string;
}

function createReader(clients: readonly Client[]): Reader {
  const known = createKnownValues();
  for (const { client_secret } of clients) known.add(client_secret ?? '');
  const { words, requestBody } = createRedactor({ known, isIssued: () => false });
  const isSecret = ({ name, value }: FieldRow) =>
    isSecretName(name) || known.whole(value) !== undefined || words(value) !== value;
  return {
    field: (row) => (row.value !== '' && isSecret(row) ? emptied(row) : row),
    text: (text) => (requestBody(text) === text ? text : ''),
  };
}

/** The same list where nothing in it is another: what is not edited keeps its spelling. */
const mapped = (rows: readonly FieldRow[], how: Reader['field']) => {
  const next = rows.map(how);
  return next.every((row, index) => row === rows[index]) ? rows : next;
};

function withoutSecrets(draft: Draft, clients: readonly Client[]): Draft {
  const { field, text } = createReader(clients);
  const bare = withHeaders(draft, mapped(draft.headers, field));
  const query = draft.query === null ? null : mapped(draft.query, field);
  const [path] = splitTarget(draft.target);
  const asked =
    query === null ? withTarget(bare, path) : query === draft.query ? bare : withQuery(bare, query);
  const { rows } = draft.body;
  if (rows === null) return withBodyText(asked, text(draft.body.text));
  const kept = mapped(rows, field);
  return kept === rows ? asked : withBodyRows(asked, kept);
}

export function savedRequestOf(
  name: string,
  draft: Draft,
  clients: readonly Client[],
  saved_at: string,
): SavedRequest {
  const { template, client_id, method, target, headers, body } = withoutSecrets(draft, clients);
  const filled = headers.filter((row) => !isBlank(row));
  return {
    name,
    saved_at,
    template,
    client_id,
    method,
    path: target,
    headers: filled.map((row) => [row.name, row.value]),
    format: body.format,
    body: body.text,
  };
}

export const draftOfSaved = ({ path, ...request }: SavedRequest): Draft =>
  draftOf({ ...request, target: path });
