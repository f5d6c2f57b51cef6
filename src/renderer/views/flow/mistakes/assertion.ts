// The mistakes offered at the JWT bearer grant (RFC 7523 2.1): in the assertion, in what is asked for, and in the body.

import type { AssertionOrder } from '../../../../oauth/assertion.ts';
import { replaced, without } from '../../../../oauth/fields.ts';
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

const withSpoilt = changed((fields, { spoilt }) => replaced(fields, 'assertion', spoilt ?? ''));

/** An assertion that was signed with this fault. */
const wrong = (
  id: string,
  title: string,
  sends: string,
  assertion: AssertionOrder,
  section = 'behaviour 7.20, RFC 7523 3',
): Mistake => ({
  id,
  title,
  sends,
  answer: always('bad_assertion'),
  section,
  assertion,
  build: withSpoilt,
});

const ASSERTION_MISTAKES: readonly Mistake[] = [
  wrong('expired', 'Expired assertion', 'an assertion that ended 5 minutes ago', {
    age_seconds: 600,
  }),
  wrong('future', 'Assertion of the future', 'iat ten minutes from now', { age_seconds: -600 }),
  wrong('long', 'Assertion for too long', 'exp two hours from now', { lifetime_seconds: 7200 }),
  wrong('missing_exp', 'Missing exp', 'an assertion that never ends', { claims: { exp: null } }),
  wrong('wrong_aud', 'Wrong audience', 'aud of another server', {
    claims: { aud: 'https://nobody.example' },
  }),
  wrong('missing_aud', 'Missing aud', 'an assertion for no server', { claims: { aud: null } }),
  wrong('wrong_iss', 'Wrong issuer', 'iss of another client', {
    claims: { iss: 'nobody-registered-this' },
  }),
  wrong('unknown_sub', 'Unknown user', 'sub of nobody', { claims: { sub: 'nobody' } }),
  wrong('missing_sub', 'Missing sub', 'an assertion for no user', { claims: { sub: null } }),
  wrong('other_key', 'Signed with another key', 'the kid of the registered key', {
    other_key: true,
  }),
  wrong('unknown_kid', 'Unknown kid', 'a kid that the client has not registered', {
    header: { kid: 'nobody-registered-this' },
  }),
  wrong(
    'alg_none',
    'alg none',
    'an assertion without a signature',
    { header: { alg: 'none' } },
    'behaviour 7.20, RFC 7515 A.5',
  ),
  {
    id: 'used_assertion',
    title: 'Used assertion',
    sends: 'an assertion whose jti was accepted just before',
    answer: always('bad_assertion'),
    section: 'behaviour 7.20, RFC 7523 3',
    prepare: 'assertion_used',
    build: withSpoilt,
  },
  {
    id: 'no_jwt',
    title: 'Not a JWT',
    sends: 'an assertion that is no JWT',
    answer: always('bad_assertion'),
    section: 'behaviour 7.20, RFC 7523 3',
    build: changed((fields) => replaced(fields, 'assertion', 'nobody-signed-this')),
  },
  {
    id: 'missing_assertion',
    title: 'Missing assertion',
    sends: 'no assertion at all',
    answer: always('malformed'),
    section: 'behaviour 3.3, RFC 7521 4.1',
    build: changed((fields) => without(fields, 'assertion')),
  },
];

const REQUEST_MISTAKES: readonly Mistake[] = [
  {
    ...UNKNOWN_AUDIENCE,
    answer: always('bad_audience'),
    section: 'behaviour 7.16, RFC 8707 2',
  },
  {
    ...UNKNOWN_SCOPE,
    section: 'behaviour 7.20, RFC 6749 3.3',
  },
];

export const BEARER_MISTAKES = [
  { name: 'Client', mistakes: CLIENT_MISTAKES },
  { name: 'Assertion', mistakes: ASSERTION_MISTAKES },
  { name: 'Request', mistakes: REQUEST_MISTAKES },
  { name: 'Body and method', mistakes: FORM_BODY_MISTAKES },
  { name: 'DPoP proof', mistakes: GRANT_PROOF_MISTAKES },
] as const;
