// Removes secrets from drafts before they are stored: in the history of this browser, or saved by name. When a stored
// request is opened, current credentials are filled in. Pure.

import type { Client, SavedRequest } from '../../../control/schemas.ts';
import { createKnownValues } from '../../../redact/known-values.ts';
import { isSecretName } from '../../../redact/names.ts';
import { createRedactor } from '../../../redact/redactor.ts';
import {
  splitTarget,
  storedDraft,
  withBodyRows,
  withBodyText,
  withHeaders,
  withQuery,
  withTarget,
  type Draft,
} from './draft.ts';
import { mapRows, rowOf, type FieldRow } from './field-rows.ts';

interface Filter {
  readonly field: (row: FieldRow) => FieldRow;
  /** Returns what remains of a body without fields. */
  readonly text: (text: string) => string;
}

/** Removes a query that cannot be parsed. */
function filteredBy({ field, text }: Filter, draft: Draft): Draft {
  const bare = withHeaders(draft, mapRows(draft.headers, field));
  const query = draft.query && mapRows(draft.query, field);
  const [path] = splitTarget(draft.target);
  const asked =
    query === null ? withTarget(bare, path) : query === draft.query ? bare : withQuery(bare, query);
  const { rows } = draft.body;
  if (rows === null) return withBodyText(asked, text(draft.body.text));
  const kept = mapRows(rows, field);
  return kept === rows ? asked : withBodyRows(asked, kept);
}

/** The scheme of an Authorization header, after which the credential is removed. */
const SCHEME = /^(?:basic|bearer|dpop)(?= )/i;

/** Removes the value. An Authorization header keeps its scheme. */
function emptied(row: FieldRow): FieldRow {
  const scheme = row.name.toLowerCase() === 'authorization' ? SCHEME.exec(row.value)?.[0] : null;
  return rowOf(row.name, scheme === undefined || scheme === null ? '' : `${scheme} `);
}

const HARMLESS = new Set(
  (
    'grant_type response_type response_mode client_id redirect_uri audience resource scope prompt ' +
    'max_age token_type_hint code_challenge_method client_assertion_type post_logout_redirect_uri ' +
    'client_name redirect_uris grant_types token_endpoint_auth_method ' +
    'accept content-type accept-language origin referer user-agent'
  ).split(' '),
);

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
  const known = createKnownValues();
  for (const { client_secret } of clients) known.add(client_secret ?? '');
  const { words, requestBody } = createRedactor({ known, isIssued: () => false });
  const isSecret = (row: FieldRow) =>
    isSecretName(row.name) ||
    known.whole(row.value) !== undefined ||
    words(row.value) !== row.value;
  const kept = filteredBy(
    {
      field: (row) => (row.value !== '' && isSecret(row) ? emptied(row) : row),
      text: (text) => (requestBody(text) === text ? text : ''),
    },
    draft,
  );
  return { name, saved_at, ...storedDraft(kept) };
}
