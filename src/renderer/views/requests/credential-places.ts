// Where a draft has a place for credentials, and the draft with others put there. Pure.

import type { Client } from '../../../control/schemas.ts';
import { basicAuthorization, isBasic } from '../../../oauth/client-authentication.ts';
import { TOKEN_TYPES } from '../../../oauth/token-request.ts';
import { withBodyRows, withHeaders, withQuery, type Draft } from './draft.ts';
import { headerValue, valueIn, withHeader, withValue, type FieldRow } from './field-rows.ts';

const isBearer = (value: string | null): boolean => /^bearer\b/i.test(value ?? '');

/** `token` is a refresh token where the hint says so (RFC 7009 2.1, RFC 7662 2.1). */
const refreshHinted = ({ body }: Draft): boolean =>
  valueIn(body.rows, 'token_type_hint') === 'refresh_token';

/** The kind of token that is exchanged (RFC 8693 3), if one of those made here would do. */
function subjectKind({ body }: Draft): 'access_token' | 'refresh_token' | null {
  if (valueIn(body.rows, 'subject_token') === null) return null;
  const type = valueIn(body.rows, 'subject_token_type');
  if (type === TOKEN_TYPES.access_token) return 'access_token';
  return type === TOKEN_TYPES.refresh_token ? 'refresh_token' : null;
}

/** A bearer that opens the registration is none of those issued here. */
const bearsAccessToken = ({ headers, target }: Draft): boolean =>
  isBearer(headerValue(headers, 'authorization')) && !target.endsWith('/register');

/** Credentials that are used up or run out, and so are wanted anew. */
export interface Wanted {
  readonly code: boolean;
  readonly verifier: boolean;
  readonly refresh_token: boolean;
  readonly access_token: boolean;
  readonly device_code: boolean;
}

export function wantedBy(draft: Draft): Wanted {
  const has = (name: string) => valueIn(draft.body.rows, name) !== null;
  const refresh = refreshHinted(draft);
  const subject = subjectKind(draft);
  return {
    code: has('code'),
    verifier: has('code_verifier'),
    refresh_token: has('refresh_token') || (has('token') && refresh) || subject === 'refresh_token',
    access_token:
      (has('token') && !refresh) || bearsAccessToken(draft) || subject === 'access_token',
    device_code: has('device_code'),
  };
}

export const wantsAny = (wanted: Wanted): boolean => Object.values(wanted).some(Boolean);

/** What there is to put in; null for what there is not. */
export type Fresh = Readonly<Record<keyof Wanted, string | null>>;

export const NOTHING_FRESH: Fresh = {
  code: null,
  verifier: null,
  refresh_token: null,
  access_token: null,
  device_code: null,
};

type Values = readonly (readonly [name: string, value: string | null])[];

const filled = (rows: readonly FieldRow[], values: Values): readonly FieldRow[] =>
  values.reduce((all, [name, value]) => (value === null ? all : withValue(all, name, value)), rows);

const same = (one: readonly FieldRow[], other: readonly FieldRow[]): boolean =>
  one.length === other.length && one.every((row, index) => row === other[index]);

/** Rewritten only when a value is another: a body keeps its spelling otherwise. */
function withBodyValues(draft: Draft, values: Values): Draft {
  const { rows } = draft.body;
  if (rows === null) return draft;
  const next = filled(rows, values);
  return same(rows, next) ? draft : withBodyRows(draft, next);
}

export function withFresh(draft: Draft, fresh: Fresh): Draft {
  const subject = subjectKind(draft);
  const written = withBodyValues(draft, [
    ['code', fresh.code],
    ['code_verifier', fresh.verifier],
    ['refresh_token', fresh.refresh_token],
    ['device_code', fresh.device_code],
    ['token', refreshHinted(draft) ? fresh.refresh_token : fresh.access_token],
    ['subject_token', subject === null ? null : fresh[subject]],
  ]);
  if (fresh.access_token === null || !bearsAccessToken(draft)) return written;
  const bearer = `Bearer ${fresh.access_token}`;
  return withHeaders(written, withHeader(draft.headers, 'Authorization', bearer));
}

/** Issued for one request, so that none is there before it is sent. */
const ISSUED = ['code', 'device_code'] as const;

/** Whether the draft has an empty place for what is issued for one request. */
export const lacksIssued = ({ body }: Draft): boolean =>
  ISSUED.some((name) => valueIn(body.rows, name) === '');

/** With the places empty again of what was issued for one request. */
export const withoutIssued = (draft: Draft): Draft =>
  withBodyValues(
    draft,
    [...ISSUED, 'code_verifier'].map((name) => [name, ''] as const),
  );

/** The same request as this client would send it: its id and secret wherever there are any. */
export function withClient(draft: Draft, client: Client): Draft {
  const values: Values = [
    ['client_id', client.client_id],
    ['client_secret', client.client_secret ?? ''],
  ];
  const written = withBodyValues({ ...draft, client_id: client.client_id }, values);
  const query = filled(draft.query ?? [], values);
  const asked =
    draft.query === null || same(query, draft.query) ? written : withQuery(written, query);
  if (!isBasic(headerValue(draft.headers, 'authorization'))) return asked;
  return withHeaders(asked, withHeader(draft.headers, 'Authorization', basicAuthorization(client)));
}
