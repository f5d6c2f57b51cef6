// The mistakes offered at step 5, POST /oauth/token with grant_type=refresh_token.

import type { Mistake } from './mistake.ts';
import { REFRESH_PROOF_MISTAKES } from './proof.ts';
import {
  always,
  byOtherClient,
  changed,
  CLIENT_MISTAKES,
  ENVELOPE_MISTAKES,
  JSON_INSTEAD_OF_FORM,
  needsOtherClient,
  put,
  typed,
  unlessInterop,
} from './request.ts';
import { FORM_TYPE, formBody, replaced, valueOf, without } from '../../../../oauth/fields.ts';

const TOKEN_MISTAKES: readonly Mistake[] = [
  {
    id: 'unknown_token',
    title: 'Unknown token',
    sends: 'a refresh token that was never issued',
    answer: always('bad_refresh_token'),
    section: 'behaviour 3.6, RFC 6749 5.2',
    build: changed((fields) => replaced(fields, 'refresh_token', 'nobody-issued-this-token')),
  },
  {
    id: 'access_token',
    title: 'Access token instead',
    sends: 'the access token as refresh_token',
    answer: always('bad_refresh_token'),
    section: 'behaviour 3.6, RFC 6749 6',
    blocked: ({ access_token }) => (access_token === null ? 'Get an access token first' : null),
    build: changed((fields, { access_token }) =>
      replaced(fields, 'refresh_token', access_token ?? ''),
    ),
  },
  {
    id: 'missing_token',
    title: 'Missing refresh_token',
    sends: 'no refresh_token at all',
    answer: always('malformed'),
    section: 'behaviour 3.3, spec 4.1.2',
    build: changed((fields) => without(fields, 'refresh_token')),
  },
  {
    id: 'empty_token',
    title: 'Empty refresh_token',
    sends: 'refresh_token with an empty value',
    answer: always('malformed'),
    section: 'behaviour 3.3, spec 4.1.2',
    build: changed((fields) => replaced(fields, 'refresh_token', '')),
  },
  {
    id: 'other_client',
    title: 'Token of another client',
    sends: 'this refresh token with another client’s credentials',
    answer: always('bad_refresh_token'),
    section: 'behaviour 3.6, RFC 6749 6',
    blocked: needsOtherClient,
    build: byOtherClient,
  },
  {
    id: 'wide_scope',
    title: 'Scope beyond the grant',
    sends: 'a scope that was never granted',
    answer: unlessInterop('bad_scope'),
    section: 'behaviour 3.7, RFC 6749 6',
    build: put('scope', 'never:granted'),
  },
  {
    id: 'wrong_grant_type',
    title: 'Wrong grant_type',
    sends: 'grant_type=refresh',
    answer: always('grant_unknown'),
    section: 'behaviour 3.5, spec 4.1.2',
    build: changed((fields) => replaced(fields, 'grant_type', 'refresh')),
  },
];

const BODY_MISTAKES: readonly Mistake[] = [
  {
    ...JSON_INSTEAD_OF_FORM,
    section: 'behaviour 1.3, spec 4.1.2',
  },
  {
    id: 'repeated_field',
    title: 'Repeated field',
    sends: 'refresh_token twice in the same form',
    answer: always('malformed'),
    section: 'behaviour 3.3, RFC 6749 3.2',
    build: ({ fields }) =>
      typed(FORM_TYPE, formBody([...fields, ['refresh_token', valueOf(fields, 'refresh_token')]])),
  },
  {
    id: 'bad_escape',
    title: 'Invalid UTF-8',
    sends: 'a form with the escape %FF in it',
    answer: always('malformed'),
    section: 'behaviour 3.3',
    build: ({ fields }) => typed(FORM_TYPE, `${formBody(fields)}&note=%FF`),
  },
  ...ENVELOPE_MISTAKES,
];

export const REFRESH_MISTAKES = [
  { name: 'Client', mistakes: CLIENT_MISTAKES },
  { name: 'Token', mistakes: TOKEN_MISTAKES },
  { name: 'Body and method', mistakes: BODY_MISTAKES },
  { name: 'DPoP proof', mistakes: REFRESH_PROOF_MISTAKES },
] as const;
