// The device authorization grant: refusals of polls (RFC 8628 3.5), and those that the verification page (3.3) shows
// to the user.

import { durationInWords } from '../../../words.ts';
import { done, failing, owner, since } from './refusal.ts';

/** At the token endpoint. */
export const DEVICE_CODE_REFUSALS = {
  ...failing('credential_known', 'invalid_grant', {
    device_code_unknown: {
      description: 'the device_code is not valid',
      summary: 'This service did not issue this device code or no longer stores it.',
      advice: 'Device codes are lost when the sandbox is reset or restarted: request a new one.',
    },
    device_code_is_user_code: {
      description: 'the device_code is not valid',
      summary: 'The value sent as device_code is a user code.',
      advice:
        'The user enters the user_code; the device sends the device_code of the same response.',
    },
  }),
  ...failing('credential_client', 'invalid_grant', {
    device_code_of_other_client: {
      description: 'the device_code was not issued to this client',
      summary: 'The device code was issued to another client.',
      detail: owner,
      advice: 'Poll with the client_id of the device authorization request.',
    },
  }),
  ...failing('credential_live', 'invalid_grant', {
    device_code_redeemed: {
      description: 'the device_code is no longer valid: it can be used only once',
      summary: 'The device code was already used.',
      detail: done('used'),
      advice: 'Stop polling once a response has tokens.',
    },
  }),
  ...failing('credential_live', 'expired_token', {
    device_code_expired: {
      description: 'the device_code has expired',
      summary: 'The device code has expired.',
      detail: since,
      advice:
        'Request a new device code, or increase the device code lifetime in the settings. The user must approve within that time.',
    },
  }),
  ...failing('polling', 'slow_down', {
    device_polled_too_soon: {
      description:
        'the device polls faster than the interval allows; the interval is now 5 s longer',
      summary: 'The device polled before the interval had passed, which makes the interval longer.',
      detail: (facts) =>
        `${durationInWords(facts.seconds ?? 1)} too soon for an interval of ${facts.expected ?? ''}; it is now ${facts.got ?? ''} s`,
      advice:
        'Wait for the interval after each response, and add 5 s to it after each slow_down (RFC 8628 3.5).',
    },
  }),
  ...failing('consent', 'authorization_pending', {
    device_pending: {
      description: 'the user has not yet approved the device',
      summary: 'The user has not decided yet.',
      detail: (facts) => `poll again in ${durationInWords(facts.seconds ?? 5)}`,
      advice:
        'This is a normal response: keep polling. Approve on the page at verification_uri, or with grantbench devices approve.',
    },
  }),
  ...failing('consent', 'access_denied', {
    device_denied: {
      description: 'the request was denied by the user',
      summary: (facts) =>
        facts.got === 'setting'
          ? 'The device was denied, because the setting authorize is deny, or auto for a locked user.'
          : 'The user denied the device.',
      detail: (facts) =>
        `${done('denied')(facts)}${facts.got === 'control' ? ' over the control API' : ''}`,
      advice: 'This is a normal response that a device must handle: stop polling.',
    },
  }),
};

/** On the verification page. */
export const DEVICE_REFUSALS = {
  ...failing('parameters', 'invalid_request', {
    user_code_missing: {
      description: 'user_code is required and must not be empty',
      summary: 'No code was entered.',
      advice: 'Enter the code that the device shows.',
    },
    user_code_too_long: {
      description: (facts) =>
        `user_code must not be longer than ${facts.expected ?? ''} characters`,
      summary: 'The code is too long.',
      advice: 'Enter only the code that the device shows.',
    },
  }),
  ...failing('throttle', 'too_many_requests', {
    user_code_guessed: {
      description: (facts) =>
        `too many wrong user codes from this address; retry in ${facts.seconds ?? 1} s`,
      summary: 'Too many wrong codes were entered from this address.',
      detail: (facts) => `codes are accepted again in ${durationInWords(facts.seconds ?? 1)}`,
      advice: 'Wait, and then enter the code that the device shows.',
    },
  }),
  ...failing('credential_known', 'invalid_request', {
    user_code_unknown: {
      description: 'the user_code is not known',
      summary: 'No device is waiting for this code.',
      detail: (facts) => `${facts.got ?? '0'} letters and digits were entered`,
      advice: 'Compare it with the device. Hyphens, spaces and case do not matter.',
    },
  }),
  ...failing('credential_live', 'invalid_request', {
    user_code_expired: {
      description: 'the user_code has expired',
      summary: 'This code has expired.',
      detail: since,
      advice: 'Start again on the device: it will show a new code.',
    },
    user_code_decided: {
      description: 'the user_code was already used',
      summary: 'This device was already approved or denied.',
      detail: (facts) => done(facts.got ?? 'approved')(facts),
      advice: 'Start again on the device to change the decision.',
    },
  }),
  ...failing('form', 'invalid_request', {
    device_form_of_other_browser: {
      description: 'the form must be submitted by the browser it was issued to',
      summary: 'The form was issued to another browser, or this browser lost its cookie.',
      advice: 'Allow cookies for this address, and enter the code again.',
    },
  }),
};
