// The device authorization grant: refusals of polls (RFC 8628 3.5), and those that the verification page (3.3) shows
// to the user.

import { durationInWords } from '../../../words.ts';
import type { Refusal } from './refusal.ts';
import { done, owner, refusing, since } from './refusal.ts';

const invalid = refusing('invalid_request');

/** At the token endpoint. */
export const DEVICE_CODE_REFUSALS = {
  device_code_unknown: {
    check: 'credential_known',
    error: 'invalid_grant',
    description: 'the device_code is not valid',
    summary: 'This service did not issue this device code or no longer stores it.',
    advice: 'Device codes are lost when the sandbox is reset or restarted: request a new one.',
  },
  device_code_is_user_code: {
    check: 'credential_known',
    error: 'invalid_grant',
    description: 'the device_code is not valid',
    summary: 'The value sent as device_code is a user code.',
    advice: 'The user enters the user_code; the device sends the device_code of the same response.',
  },
  device_code_of_other_client: {
    check: 'credential_client',
    error: 'invalid_grant',
    description: 'the device_code was not issued to this client',
    summary: 'The device code was issued to another client.',
    detail: owner,
    advice: 'Poll with the client_id of the device authorization request.',
  },
  device_code_redeemed: {
    check: 'credential_live',
    error: 'invalid_grant',
    description: 'the device_code is no longer valid: it can be used only once',
    summary: 'The device code was already used.',
    detail: done('used'),
    advice: 'Stop polling once a response has tokens.',
  },
  device_code_expired: {
    check: 'credential_live',
    error: 'expired_token',
    description: 'the device_code has expired',
    summary: 'The device code has expired.',
    detail: since,
    advice:
      'Request a new device code, or increase the device code lifetime in the settings. The user must approve within that time.',
  },
  device_polled_too_soon: {
    check: 'polling',
    error: 'slow_down',
    description: 'the device polls faster than the interval allows; the interval is now 5 s longer',
    summary: 'The device polled before the interval had passed, which makes the interval longer.',
    detail: (facts) =>
      `${durationInWords(facts.seconds ?? 1)} too soon for an interval of ${facts.expected ?? ''}; it is now ${facts.got ?? ''} s`,
    advice:
      'Wait for the interval after each response, and add 5 s to it after each slow_down (RFC 8628 3.5).',
  },
  device_pending: {
    check: 'consent',
    error: 'authorization_pending',
    description: 'the user has not yet approved the device',
    summary: 'The user has not decided yet.',
    detail: (facts) => `poll again in ${durationInWords(facts.seconds ?? 5)}`,
    advice:
      'This is a normal response: keep polling. Approve on the page at verification_uri, or with grantbench devices approve.',
  },
  device_denied: {
    check: 'consent',
    error: 'access_denied',
    description: 'the request was denied by the user',
    summary: (facts) =>
      facts.got === 'setting'
        ? 'The device was denied, because the setting authorize is deny.'
        : 'The user denied the device.',
    detail: (facts) =>
      `${done('denied')(facts)}${facts.got === 'control' ? ' over the control API' : ''}`,
    advice: 'This is a normal response that a device must handle: stop polling.',
  },
} satisfies Record<string, Refusal>;

/** On the verification page. */
export const DEVICE_REFUSALS = {
  user_code_missing: invalid(
    'parameters',
    'user_code is required and must not be empty',
    'No code was entered.',
    { advice: 'Enter the code that the device shows.' },
  ),
  user_code_too_long: invalid(
    'parameters',
    (facts) => `user_code must not be longer than ${facts.expected ?? ''} characters`,
    'The code is too long.',
    { advice: 'Enter only the code that the device shows.' },
  ),
  user_code_guessed: refusing('too_many_requests')(
    'throttle',
    (facts) => `too many wrong user codes from this address; retry in ${facts.seconds ?? 1} s`,
    'Too many wrong codes were entered from this address.',
    {
      detail: (facts) => `codes are accepted again in ${durationInWords(facts.seconds ?? 1)}`,
      advice: 'Wait, and then enter the code that the device shows.',
    },
  ),
  user_code_unknown: invalid(
    'credential_known',
    'the user_code is not known',
    'No device is waiting for this code.',
    {
      detail: (facts) => `${facts.got ?? '0'} letters and digits were entered`,
      advice: 'Compare it with the device. Hyphens, spaces and case do not matter.',
    },
  ),
  user_code_expired: invalid(
    'credential_live',
    'the user_code has expired',
    'This code has expired.',
    { detail: since, advice: 'Start again on the device: it will show a new code.' },
  ),
  user_code_decided: invalid(
    'credential_live',
    'the user_code was already used',
    'This device was already approved or denied.',
    {
      detail: (facts) => done(facts.got ?? 'approved')(facts),
      advice: 'Start again on the device to change the decision.',
    },
  ),
  device_form_of_other_browser: invalid(
    'form',
    'the form must be submitted by the browser it was issued to',
    'The form was issued to another browser, or this browser lost its cookie.',
    { advice: 'Allow cookies for this address, and enter the code again.' },
  ),
} satisfies Record<string, Refusal>;
