// The mistakes offered at step 3, POST /oauth/token with grant_type=authorization_code.

import type { Mistake } from './mistake.ts';
import { EXCHANGE_PROOF_MISTAKES } from './proof.ts';
import {
  always,
  byOtherClient,
  changed,
  CLIENT_MISTAKES,
  ENVELOPE_MISTAKES,
  needsOtherClient,
  needsTime,
  onlyStrict,
  put,
  typed,
  unlessInterop,
  withField,
} from './request.ts';
import {
  FORM_TYPE,
  formBody,
  JSON_TYPE,
  jsonBody,
  replaced,
  valueOf,
  without,
} from '../../../../oauth/fields.ts';

const toggleSlash = (uri: string): string => (uri.endsWith('/') ? uri.slice(0, -1) : `${uri}/`);

/** The path in the other case, or the host when there is no letter in the path. */
function otherCase(uri: string): string {
  const last = uri.lastIndexOf('/') + 1;
  const letters = uri.slice(last).search(/[a-zA-Z]/);
  if (letters === -1) return uri.toUpperCase();
  const at = last + letters;
  const letter = uri.charAt(at);
  const swapped = letter === letter.toLowerCase() ? letter.toUpperCase() : letter.toLowerCase();
  return uri.slice(0, at) + swapped + uri.slice(at + 1);
}

const CODE_MISTAKES: readonly Mistake[] = [
  {
    id: 'redirect_slash',
    title: 'Redirect URI with a trailing slash',
    sends: 'redirect_uri that differs by one slash',
    answer: always('bad_redirect'),
    section: 'behaviour 3.6, spec 4.1.1, RFC 6749 4.1.3',
    build: changed((fields) =>
      replaced(fields, 'redirect_uri', toggleSlash(valueOf(fields, 'redirect_uri'))),
    ),
  },
  {
    id: 'redirect_case',
    title: 'Redirect URI with different case',
    sends: 'redirect_uri with one letter in the other case',
    answer: always('bad_redirect'),
    section: 'behaviour 3.6, spec 4.1.1, RFC 6749 4.1.3',
    build: changed((fields) =>
      replaced(fields, 'redirect_uri', otherCase(valueOf(fields, 'redirect_uri'))),
    ),
  },
  {
    id: 'used_code',
    title: 'Used code',
    sends: 'a code that was redeemed just before',
    answer: always('bad_code'),
    section: 'behaviour 4.7, RFC 6749 4.1.2',
    prepare: 'code_redeemed',
    build: changed((fields, { spoilt }) => replaced(fields, 'code', spoilt ?? '')),
  },
  {
    id: 'expired_code',
    title: 'Expired code',
    sends: 'a code that lived one second',
    answer: always('bad_code'),
    section: 'behaviour 3.6, RFC 6749 4.1.2',
    prepare: 'code_expired',
    blocked: needsTime,
    build: changed((fields, { spoilt }) => replaced(fields, 'code', spoilt ?? '')),
  },
  {
    id: 'unknown_code',
    title: 'Unknown code',
    sends: 'a code that was never issued',
    answer: always('bad_code'),
    section: 'behaviour 3.6, RFC 6749 5.2',
    build: changed((fields) => replaced(fields, 'code', 'nobody-issued-this-code')),
  },
  {
    id: 'empty_code',
    title: 'Empty code',
    sends: 'code with an empty value',
    answer: always('malformed'),
    section: 'behaviour 3.3, spec 4.1.1',
    build: changed((fields) => replaced(fields, 'code', '')),
  },
  {
    id: 'other_client',
    title: 'Code of another client',
    sends: 'this code with another client’s credentials',
    answer: always('bad_code'),
    section: 'behaviour 3.6, RFC 6749 4.1.3',
    blocked: needsOtherClient,
    build: byOtherClient,
  },
  {
    id: 'wrong_verifier',
    title: 'Wrong PKCE verifier',
    sends: 'a code_verifier that does not match',
    answer: always('bad_pkce'),
    section: 'behaviour 3.6, RFC 7636 4.6',
    build: put('code_verifier', 'a-verifier-that-belongs-to-no-challenge-at-all'),
  },
];

const FIELD_MISTAKES: readonly Mistake[] = [
  {
    id: 'other_audience',
    title: 'Wrong audience',
    sends: 'an audience the code was not issued for',
    answer: always('bad_audience'),
    section: 'behaviour 3.7, RFC 8707 2',
    build: changed((fields, { other_audience }) => withField(fields, 'audience', other_audience)),
  },
  {
    id: 'missing_audience',
    title: 'Missing audience',
    sends: 'no audience at all',
    answer: unlessInterop('malformed'),
    section: 'behaviour 1.4, spec 4.1.1',
    build: changed((fields) => without(fields, 'audience')),
  },
  {
    id: 'wrong_grant_type',
    title: 'Wrong grant_type',
    sends: 'grant_type=authorization-code, with a hyphen',
    answer: always('grant_unknown'),
    section: 'behaviour 3.5, spec 4.1.1',
    build: changed((fields) => replaced(fields, 'grant_type', 'authorization-code')),
  },
];

const BODY_MISTAKES: readonly Mistake[] = [
  {
    id: 'form_body',
    title: 'Form instead of JSON',
    sends: 'the same fields, form-encoded',
    answer: onlyStrict('malformed'),
    section: 'behaviour 1.3, spec 4.1.1',
    build: ({ fields }) => typed(FORM_TYPE, formBody(fields)),
  },
  {
    id: 'repeated_field',
    title: 'Repeated field',
    sends: 'code twice in the same JSON object',
    answer: always('malformed'),
    section: 'behaviour 3.3, RFC 6749 3.2',
    build: ({ fields }) =>
      typed(JSON_TYPE, jsonBody([...fields, ['code', valueOf(fields, 'code')]])),
  },
  {
    id: 'broken_json',
    title: 'Broken JSON',
    sends: 'a body without its closing brace',
    answer: always('malformed'),
    section: 'behaviour 3.3',
    build: ({ fields }) => typed(JSON_TYPE, jsonBody(fields).slice(0, -1)),
  },
  {
    id: 'json_array',
    title: 'JSON array',
    sends: 'the object wrapped in an array',
    answer: always('malformed'),
    section: 'behaviour 3.3, spec 4.1.1',
    build: ({ fields }) => typed(JSON_TYPE, `[${jsonBody(fields)}]`),
  },
  {
    id: 'number_value',
    title: 'A number for a string',
    sends: 'code as a JSON number',
    answer: always('malformed'),
    section: 'behaviour 3.3',
    build: ({ fields }) =>
      typed(JSON_TYPE, jsonBody(without(fields, 'code')).replace(/\n}$/, ',\n  "code": 12345\n}')),
  },
  ...ENVELOPE_MISTAKES,
];

export const EXCHANGE_MISTAKES = [
  { name: 'Client', mistakes: CLIENT_MISTAKES },
  { name: 'Code and redirect', mistakes: CODE_MISTAKES },
  { name: 'Fields', mistakes: FIELD_MISTAKES },
  { name: 'Body and method', mistakes: BODY_MISTAKES },
  { name: 'DPoP proof', mistakes: EXCHANGE_PROOF_MISTAKES },
] as const;
