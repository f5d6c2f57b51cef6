// Mistakes that apply to several grants: in the method and body, and in client authentication.

import type { Profile } from '../../../../control/schemas.ts';
import type { AnswerKind } from './answers.ts';
import type { Material, Mistake } from './mistake.ts';
import {
  FORM_TYPE,
  formBody,
  JSON_TYPE,
  jsonBody,
  replaced,
  valueOf,
  without,
  type Fields,
  type HttpRequest,
} from '../../../../oauth/fields.ts';
import { TOKEN_PATH, tokenRequest } from '../../../../oauth/token-request.ts';

export const always = (kind: AnswerKind) => (): AnswerKind => kind;

export const onlyStrict =
  (refused: AnswerKind) =>
  (profile: Profile): AnswerKind =>
    profile === 'strict' ? refused : 'tokens';

export const unlessInterop =
  (refused: AnswerKind) =>
  (profile: Profile): AnswerKind =>
    profile === 'interop' ? 'tokens' : refused;

/** The right request with its fields changed. */
export const changed =
  (how: (fields: Fields, material: Material) => Fields) => (material: Material) =>
    tokenRequest(how(material.fields, material), { format: material.format, path: material.path });

/** The fields with this one last, in place of those of its name. */
export const withField = (fields: Fields, name: string, value: string): Fields => [
  ...without(fields, name),
  [name, value],
];

/** The right request with another value of one field, or with one field more. */
export const put = (name: string, value: string) =>
  changed((fields) => withField(fields, name, value));

export const typed = (type: string, body: string): HttpRequest => ({
  method: 'POST',
  path: TOKEN_PATH,
  headers: { 'content-type': type, accept: JSON_TYPE },
  body,
});

export const needsOtherClient = ({ other_client }: Material): string | null =>
  other_client === null ? 'Register a second client first' : null;

export const needsTime = ({ frozen }: Material): string | null =>
  frozen ? 'The clock is frozen, so nothing expires' : null;

const needsSecret = ({ fields }: Material): string | null =>
  valueOf(fields, 'client_secret') === '' ? 'This client has no secret' : null;

/** The same request in another client's name, with that client's own secret. */
export const byOtherClient = changed((fields, { other_client }) =>
  replaced(
    replaced(fields, 'client_id', other_client?.client_id ?? ''),
    'client_secret',
    other_client?.client_secret ?? '',
  ),
);

function inHeader({ fields, format, path }: Material): HttpRequest {
  const basic = {
    client_id: valueOf(fields, 'client_id'),
    client_secret: valueOf(fields, 'client_secret'),
  };
  return tokenRequest(without(without(fields, 'client_id'), 'client_secret'), {
    format,
    path,
    basic,
  });
}

function inQuery({ fields, format, path }: Material): HttpRequest {
  const query = formBody(fields.filter(([name]) => name.startsWith('client_')));
  return tokenRequest(fields, { format, path: `${path}?${query}` });
}

function asForm(fields: Fields, charset: string): HttpRequest {
  return typed(`${FORM_TYPE}; charset=${charset}`, formBody(fields));
}

export const NOBODYS_AUDIENCE = 'https://nobody.example/unregistered';

/** Each grant has its own answer to it, and its own section. */
export const UNKNOWN_AUDIENCE = {
  id: 'unknown_audience',
  title: 'Unknown audience',
  sends: 'an audience that is not registered',
  build: put('audience', NOBODYS_AUDIENCE),
} as const;

/** At the grants that are asked for a scope; each has its own section. */
export const UNKNOWN_SCOPE = {
  id: 'unknown_scope',
  title: 'Unknown scope',
  sends: 'a scope that no audience defines',
  answer: unlessInterop('bad_scope'),
  build: put('scope', 'never:defined'),
} as const;

/** At the grants whose requests are forms. */
export const JSON_INSTEAD_OF_FORM: Mistake = {
  id: 'json_body',
  title: 'JSON instead of form',
  sends: 'the same fields as a JSON object',
  answer: onlyStrict('malformed'),
  section: 'behaviour 1.3',
  build: ({ fields }) => typed(JSON_TYPE, jsonBody(fields)),
};

export const CLIENT_MISTAKES: readonly Mistake[] = [
  {
    id: 'wrong_secret',
    title: 'Wrong secret',
    sends: 'client_secret with another value',
    answer: always('bad_client'),
    section: 'behaviour 3.4, spec 5.1',
    blocked: needsSecret,
    build: changed((fields) => replaced(fields, 'client_secret', 'not-the-secret')),
  },
  {
    id: 'missing_secret',
    title: 'Missing secret',
    sends: 'no client_secret at all',
    answer: always('bad_client'),
    section: 'behaviour 3.4, spec 5.1',
    blocked: needsSecret,
    build: changed((fields) => without(fields, 'client_secret')),
  },
  {
    id: 'unknown_client',
    title: 'Unknown client',
    sends: 'a client_id that is not registered',
    answer: always('bad_client'),
    section: 'behaviour 3.4, spec 5.1',
    build: changed((fields) => replaced(fields, 'client_id', 'nobody-registered-this')),
  },
  {
    id: 'missing_client_id',
    title: 'Missing client_id',
    sends: 'no client_id at all',
    answer: always('malformed'),
    section: 'behaviour 3.3, spec 5.1',
    build: changed((fields) => without(fields, 'client_id')),
  },
  {
    id: 'secret_in_header',
    title: 'Secret in a header',
    sends: 'HTTP Basic instead of body fields',
    answer: unlessInterop('bad_client'),
    section: 'behaviour 1.6, spec 5.1',
    blocked: needsSecret,
    build: inHeader,
  },
  {
    id: 'secret_in_query',
    title: 'Secret in the query string',
    sends: 'client_id and client_secret in the URL as well',
    answer: onlyStrict('malformed'),
    section: 'behaviour 1.10, spec 5.1',
    blocked: needsSecret,
    build: inQuery,
  },
];

export const ENVELOPE_MISTAKES: readonly Mistake[] = [
  {
    id: 'text_plain',
    title: 'Content type text/plain',
    sends: 'the right body with an unsupported type',
    answer: always('malformed'),
    section: 'behaviour 3.3',
    build: ({ fields, format }) => typed('text/plain', tokenRequest(fields, { format }).body ?? ''),
  },
  {
    id: 'other_charset',
    title: 'Wrong charset',
    sends: 'a form with charset=iso-8859-1',
    answer: always('malformed'),
    section: 'behaviour 3.3',
    build: ({ fields }) => asForm(fields, 'iso-8859-1'),
  },
  {
    id: 'empty_body',
    title: 'No body',
    sends: 'a content type but an empty body',
    answer: always('malformed'),
    section: 'behaviour 3.3',
    build: ({ format }) => typed(format === 'json' ? JSON_TYPE : FORM_TYPE, ''),
  },
  {
    id: 'get',
    title: 'GET instead of POST',
    sends: 'the fields in the query string of a GET',
    answer: always('method'),
    section: 'behaviour 3.8',
    build: ({ fields }) => ({
      method: 'GET',
      path: `${TOKEN_PATH}?${formBody(fields)}`,
      headers: { accept: JSON_TYPE },
    }),
  },
];

/** In the body and the method, at the grants whose requests are forms. */
export const FORM_BODY_MISTAKES: readonly Mistake[] = [JSON_INSTEAD_OF_FORM, ...ENVELOPE_MISTAKES];
