// The mistakes offered at a token exchange (RFC 8693): in the subject token, in what is asked for, and in the body.

import { replaced, without } from '../../../../oauth/fields.ts';
import { TOKEN_TYPES } from '../../../../oauth/token-request.ts';
import type { Mistake } from './mistake.ts';
import { GRANT_PROOF_MISTAKES } from './proof.ts';
import {
  always,
  changed,
  CLIENT_MISTAKES,
  FORM_BODY_MISTAKES,
  UNKNOWN_AUDIENCE,
  UNKNOWN_SCOPE,
} from './request.ts';

const withSpoilt = changed((fields, { spoilt }) => replaced(fields, 'subject_token', spoilt ?? ''));

const SUBJECT_MISTAKES: readonly Mistake[] = [
  {
    id: 'unknown_token',
    title: 'Unknown subject token',
    sends: 'a subject token that was never issued',
    answer: always('malformed'),
    section: 'behaviour 7.19, RFC 8693 2.2.2',
    build: changed((fields) => replaced(fields, 'subject_token', 'nobody-issued-this-token')),
  },
  {
    id: 'expired_token',
    title: 'Expired subject token',
    sends: 'a token that was expired over the control API',
    answer: always('malformed'),
    section: 'behaviour 7.19, RFC 8693 2.2.2',
    prepare: 'token_expired_by_hand',
    build: withSpoilt,
  },
  {
    id: 'revoked_token',
    title: 'Revoked subject token',
    sends: 'a token that was revoked just before',
    answer: always('malformed'),
    section: 'behaviour 7.19, RFC 8693 2.2.2',
    prepare: 'token_revoked',
    build: withSpoilt,
  },
  {
    id: 'missing_token',
    title: 'Missing subject_token',
    sends: 'no subject_token at all',
    answer: always('malformed'),
    section: 'behaviour 3.3, RFC 8693 2.1',
    build: changed((fields) => without(fields, 'subject_token')),
  },
  {
    id: 'missing_type',
    title: 'Missing subject_token_type',
    sends: 'no subject_token_type at all',
    answer: always('malformed'),
    section: 'behaviour 3.3, RFC 8693 2.1',
    build: changed((fields) => without(fields, 'subject_token_type')),
  },
  {
    id: 'other_type',
    title: 'Wrong token type',
    sends: 'the access token as a refresh token',
    answer: always('malformed'),
    section: 'behaviour 7.19, RFC 8693 3',
    build: changed((fields) => replaced(fields, 'subject_token_type', TOKEN_TYPES.refresh_token)),
  },
  {
    id: 'unknown_type',
    title: 'Unknown token type',
    sends: 'the subject token as a SAML assertion',
    answer: always('malformed'),
    section: 'behaviour 7.19, RFC 8693 3',
    build: changed((fields) =>
      replaced(fields, 'subject_token_type', 'urn:ietf:params:oauth:token-type:saml2'),
    ),
  },
];

const REQUEST_MISTAKES: readonly Mistake[] = [
  {
    id: 'actor_type_alone',
    title: 'Actor type without actor',
    sends: 'actor_token_type, but no actor_token',
    answer: always('malformed'),
    section: 'behaviour 7.19, RFC 8693 2.1',
    build: changed((fields) => [...fields, ['actor_token_type', TOKEN_TYPES.access_token]]),
  },
  {
    id: 'unknown_actor',
    title: 'Unknown actor token',
    sends: 'an actor token that was never issued',
    answer: always('malformed'),
    section: 'behaviour 7.19, RFC 8693 2.2.2',
    build: changed((fields) => [
      ...fields,
      ['actor_token', 'nobody-issued-this-token'],
      ['actor_token_type', TOKEN_TYPES.access_token],
    ]),
  },
  {
    id: 'refresh_token_wanted',
    title: 'Refresh token wanted',
    sends: 'requested_token_type for a refresh token',
    answer: always('malformed'),
    section: 'behaviour 7.19, RFC 8693 2.1',
    build: changed((fields) => [...fields, ['requested_token_type', TOKEN_TYPES.refresh_token]]),
  },
  {
    ...UNKNOWN_AUDIENCE,
    answer: always('bad_audience'),
    section: 'behaviour 7.19, RFC 8693 2.2.2',
  },
  {
    ...UNKNOWN_SCOPE,
    section: 'behaviour 7.19, RFC 6749 3.3',
  },
];

export const SWAP_MISTAKES = [
  { name: 'Client', mistakes: CLIENT_MISTAKES },
  { name: 'Subject token', mistakes: SUBJECT_MISTAKES },
  { name: 'Request', mistakes: REQUEST_MISTAKES },
  { name: 'Body and method', mistakes: FORM_BODY_MISTAKES },
  { name: 'DPoP proof', mistakes: GRANT_PROOF_MISTAKES },
] as const;
