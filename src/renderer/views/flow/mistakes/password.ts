// The mistakes offered at the password grant, POST /oauth/token with grant_type=password (RFC 6749 4.3).

import { formBody, FORM_TYPE, replaced, valueOf, without } from '../../../../oauth/fields.ts';
import type { AnswerKind } from './answers.ts';
import type { Material, Mistake } from './mistake.ts';
import { GRANT_PROOF_MISTAKES } from './proof.ts';
import {
  always,
  changed,
  CLIENT_MISTAKES,
  ENVELOPE_MISTAKES,
  JSON_INSTEAD_OF_FORM,
  typed,
  UNKNOWN_AUDIENCE,
} from './request.ts';

/** The strict profile does not accept the grant at all; the client is authenticated before that. */
const unlessStrict =
  (kind: AnswerKind): Mistake['answer'] =>
  (profile) =>
    profile === 'strict' ? 'bad_grant' : kind;

const needsPassword = ({ user_has_password }: Material): string | null =>
  user_has_password ? null : 'This user has no password: any is accepted';

const USER_MISTAKES: readonly Mistake[] = [
  {
    id: 'unknown_user',
    title: 'Unknown user',
    sends: 'a username that nobody has',
    answer: unlessStrict('bad_password'),
    section: 'behaviour 7.21, RFC 6749 5.2',
    build: changed((fields) => replaced(fields, 'username', 'nobody')),
  },
  {
    id: 'wrong_password',
    title: 'Wrong password',
    sends: 'another password than the user’s',
    answer: unlessStrict('bad_password'),
    section: 'behaviour 7.21, RFC 6749 5.2',
    blocked: needsPassword,
    build: changed((fields) => replaced(fields, 'password', 'not the password')),
  },
  {
    id: 'missing_username',
    title: 'Missing username',
    sends: 'no username at all',
    answer: unlessStrict('malformed'),
    section: 'behaviour 3.3, RFC 6749 4.3.2',
    build: changed((fields) => without(fields, 'username')),
  },
  {
    id: 'missing_password',
    title: 'Missing password',
    sends: 'no password at all',
    answer: unlessStrict('malformed'),
    section: 'behaviour 3.3, RFC 6749 4.3.2',
    build: changed((fields) => without(fields, 'password')),
  },
  {
    ...UNKNOWN_AUDIENCE,
    answer: unlessStrict('bad_audience'),
    section: 'behaviour 7.16, RFC 8707 2',
  },
];

const BODY_MISTAKES: readonly Mistake[] = [
  JSON_INSTEAD_OF_FORM,
  {
    id: 'repeated_field',
    title: 'Repeated field',
    sends: 'username twice in the same form',
    answer: always('malformed'),
    section: 'behaviour 3.3, RFC 6749 3.2',
    build: ({ fields }) =>
      typed(FORM_TYPE, formBody([...fields, ['username', valueOf(fields, 'username')]])),
  },
  ...ENVELOPE_MISTAKES,
];

export const PASSWORD_MISTAKES = [
  { name: 'Client', mistakes: CLIENT_MISTAKES },
  { name: 'User', mistakes: USER_MISTAKES },
  { name: 'Body and method', mistakes: BODY_MISTAKES },
  { name: 'DPoP proof', mistakes: GRANT_PROOF_MISTAKES },
] as const;
