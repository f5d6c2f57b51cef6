// Drafts as they are kept where secrets do not belong: the history in this browser, and requests saved by name. Their
// values are left out, and others are put in when such a request is opened again. Pure.

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

interface Reader {
  readonly field: (row: FieldRow) => FieldRow;
  /** What stays of a body without fields. */
  readonly text: (text: string) => string;
}

/** A query that cannot be read is left out. */
function readWith({ field, text }: Reader, draft: Draft): Draft {
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

/** How a credential is said to be one; what follows goes. */
const SCHEME = /^(?:basic|bearer|dpop)(?= )/i;

/** Without its value; of a credential in a header, its scheme stays. */
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

/** With values of names that are known to be harmless, and no others. */
export const withHarmless = (draft: Draft): Draft =>
  readWith(
    {
      field: (row) => (HARMLESS.has(row.name.toLowerCase()) ? row : emptied(row)),
      text: () => '',
    },
    draft,
  );

/** With all but the values that are secrets by what they are or what they are called. */
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
  const kept = readWith(
    {
      field: (row) => (row.value !== '' && isSecret(row) ? emptied(row) : row),
      text: (text) => (requestBody(text) === text ? text : ''),
    },
    draft,
  );
  return { name, saved_at, ...storedDraft(kept) };
}
