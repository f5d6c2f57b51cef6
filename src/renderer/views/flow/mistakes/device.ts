// The mistakes offered at the steps of the device authorization grant (RFC 8628): in the request of the
// device, in what the user types at /device, and in how the device polls.

import {
  FORM_TYPE,
  formBody,
  JSON_TYPE,
  replaced,
  valueOf,
  without,
  type HttpRequest,
} from '../../../../oauth/fields.ts';
import { deviceAuthorizationRequest } from '../../../../oauth/endpoint-requests.ts';
import type { Material, Mistake } from './mistake.ts';
import { GRANT_PROOF_MISTAKES } from './proof.ts';
import {
  always,
  byOtherClient,
  changed,
  CLIENT_MISTAKES,
  FORM_BODY_MISTAKES,
  needsOtherClient,
  put,
  UNKNOWN_AUDIENCE,
} from './request.ts';

/** The same mistake where the endpoint answers with codes for a device. */
const bringingDevice = (mistake: Mistake): Mistake => ({
  ...mistake,
  answer: (...rules) => {
    const kind = mistake.answer(...rules);
    return kind === 'tokens' ? 'device' : kind;
  },
});

const REQUEST_MISTAKES: readonly Mistake[] = [
  {
    ...UNKNOWN_AUDIENCE,
    answer: always('bad_audience'),
    section: 'behaviour 9.1, RFC 8707 2',
  },
  {
    id: 'unknown_scope',
    title: 'Unknown scope',
    sends: 'a scope that no audience defines',
    answer: (profile) => (profile === 'interop' ? 'device' : 'bad_scope'),
    section: 'behaviour 9.1, behaviour 1.11',
    build: put('scope', 'never:defined'),
  },
  {
    id: 'malformed_scope',
    title: 'Malformed scope',
    sends: 'a scope with quotation marks',
    answer: always('bad_scope'),
    section: 'behaviour 3.7, RFC 6749 3.3',
    build: put('scope', '"openid"'),
  },
  {
    id: 'get',
    title: 'GET instead of POST',
    sends: 'the fields in the query string of a GET',
    answer: always('method'),
    section: 'behaviour 3.8, RFC 8628 3.1',
    build: ({ fields }) => {
      const { path } = deviceAuthorizationRequest(fields);
      return {
        method: 'GET',
        path: `${path}?${formBody(fields)}`,
        headers: { accept: JSON_TYPE },
      };
    },
  },
];

/** Where the setting authorize decides at once, nothing ever waits. */
const needsUser = ({ mode }: Material): string | null =>
  mode === 'consent' ? null : `Devices are decided at once: the setting authorize is ${mode}`;

/** What a browser sends from the first page of /device. */
const entered = (user_code: string): HttpRequest => ({
  method: 'POST',
  path: '/device',
  headers: { 'content-type': FORM_TYPE, accept: 'text/html' },
  body: formBody([['user_code', user_code]]),
});

const enteredOfDevice = ({ device }: Material) => entered(device?.user_code ?? '');

/** One letter, or digit, in the place of another. */
const mistyped = (user_code: string): string =>
  `${user_code.slice(0, -1)}${/[B0]$/.test(user_code) ? '9' : user_code.endsWith('9') ? '0' : 'B'}`;

const TYPING_MISTAKES: readonly Mistake[] = [
  {
    id: 'mistyped',
    title: 'Mistyped user code',
    sends: 'the user code with another last character',
    answer: always('page'),
    section: 'behaviour 9.2, RFC 8628 5.1',
    build: ({ fields }) => entered(mistyped(valueOf(fields, 'user_code'))),
  },
  {
    id: 'empty',
    title: 'No user code',
    sends: 'the form of the page, left empty',
    answer: always('page'),
    section: 'behaviour 9.3',
    build: () => entered(''),
  },
  {
    id: 'expired',
    title: 'Expired user code',
    sends: 'the user code of a device that was expired over the control API',
    answer: always('page'),
    section: 'behaviour 9.3, RFC 8628 3.2',
    prepare: 'device_expired',
    blocked: needsUser,
    build: enteredOfDevice,
  },
  {
    id: 'decided',
    title: 'Decided already',
    sends: 'the user code of a device that was approved just before',
    answer: always('page'),
    section: 'behaviour 9.3',
    prepare: 'device_approved',
    blocked: needsUser,
    build: enteredOfDevice,
  },
];

const withDevice = changed((fields, { device }) =>
  replaced(fields, 'device_code', device?.device_code ?? ''),
);

const CODE_MISTAKES: readonly Mistake[] = [
  {
    id: 'before_decision',
    title: 'Before the decision',
    sends: 'a first poll, while the user has not decided',
    answer: always('device_pending'),
    section: 'behaviour 9.4, RFC 8628 3.5',
    prepare: 'device_requested',
    blocked: needsUser,
    build: withDevice,
  },
  {
    id: 'too_fast',
    title: 'Polled too fast',
    sends: 'a second poll right after the first',
    answer: always('device_slow_down'),
    section: 'behaviour 9.4, RFC 8628 3.5',
    prepare: 'device_polled',
    blocked: needsUser,
    build: withDevice,
  },
  {
    id: 'denied',
    title: 'After the user denied',
    sends: 'the device code of a device that was denied',
    answer: always('device_denied'),
    section: 'behaviour 9.4, RFC 8628 3.5',
    prepare: 'device_denied',
    blocked: needsUser,
    build: withDevice,
  },
  {
    id: 'expired',
    title: 'After expiry',
    sends: 'a device code that was expired over the control API',
    answer: always('device_expired'),
    section: 'behaviour 9.4, RFC 8628 3.5',
    prepare: 'device_expired',
    blocked: needsUser,
    build: withDevice,
  },
  {
    id: 'twice',
    title: 'Redeemed twice',
    sends: 'a device code that was redeemed just before',
    answer: always('bad_device_code'),
    section: 'behaviour 9.5',
    prepare: 'device_redeemed',
    blocked: needsUser,
    build: withDevice,
  },
  {
    id: 'other_client',
    title: 'Device code of another client',
    sends: 'this device code with another client’s credentials',
    answer: always('bad_device_code'),
    section: 'behaviour 9.5, RFC 8628 3.4',
    blocked: needsOtherClient,
    build: byOtherClient,
  },
  {
    id: 'user_code',
    title: 'User code instead',
    sends: 'the user code as device_code',
    answer: always('bad_device_code'),
    section: 'behaviour 9.5, RFC 8628 3.4',
    prepare: 'device_requested',
    build: changed((fields, { device }) =>
      replaced(fields, 'device_code', device?.user_code ?? ''),
    ),
  },
  {
    id: 'unknown',
    title: 'Unknown device code',
    sends: 'a device code that was never issued',
    answer: always('bad_device_code'),
    section: 'behaviour 3.6, RFC 8628 3.5',
    build: changed((fields) => replaced(fields, 'device_code', 'nobody-issued-this-code')),
  },
  {
    id: 'missing',
    title: 'Missing device_code',
    sends: 'no device_code at all',
    answer: always('malformed'),
    section: 'behaviour 3.3, RFC 8628 3.4',
    build: changed((fields) => without(fields, 'device_code')),
  },
];

export const DEVICE_MISTAKES = [
  { name: 'Client', mistakes: CLIENT_MISTAKES.map(bringingDevice) },
  { name: 'Request', mistakes: REQUEST_MISTAKES },
] as const;

export const USER_CODE_MISTAKES = [{ name: 'At the page', mistakes: TYPING_MISTAKES }] as const;

export const POLL_MISTAKES = [
  { name: 'Client', mistakes: CLIENT_MISTAKES },
  { name: 'Device code', mistakes: CODE_MISTAKES },
  { name: 'Body and method', mistakes: FORM_BODY_MISTAKES },
  { name: 'DPoP proof', mistakes: GRANT_PROOF_MISTAKES },
] as const;
