// Every reason for which a request is refused: its error code, what the wire says (behaviour 3), and
// what only the trace tells. Wire sentences are ASCII without quotes or backslashes and never carry
// anything the client sent but the name of a parameter the protocol knows.

import { ACCESS_TOKEN_REFUSALS } from './of-access-tokens.ts';
import { ASSERTION_GRANT_REFUSALS, ASSERTION_REFUSALS } from './of-assertions.ts';
import { AUTHORIZATION_REFUSALS } from './of-authorization.ts';
import { CREDENTIAL_REFUSALS } from './of-credentials.ts';
import { DEVICE_CODE_REFUSALS, DEVICE_REFUSALS } from './of-devices.ts';
import { CLIENT_REFUSALS } from './of-clients.ts';
import { REQUEST_REFUSALS } from './of-requests.ts';
import { DPOP_REFUSALS } from './of-dpop.ts';
import { PASSWORD_REFUSALS } from './of-passwords.ts';
import { PRESENTED_TOKEN_REFUSALS } from './of-presented-tokens.ts';
import { PUSHED_REQUEST_REFUSALS } from './of-pushed-requests.ts';
import { TOKEN_EXCHANGE_REFUSALS } from './of-token-exchange.ts';
import { SIGN_IN_REFUSALS } from './of-sign-in.ts';
import { REGISTRATION_REFUSALS } from './of-registration.ts';
import type { Refusal } from './refusal.ts';

export { differsAt } from './of-credentials.ts';
export type { CheckId, ErrorCode, RefusalFacts } from './refusal.ts';

/** Every reason, in the order of evaluation (behaviour 3). */
export type RefusalReason =
  | keyof typeof REQUEST_REFUSALS
  | keyof typeof CLIENT_REFUSALS
  | keyof typeof ASSERTION_REFUSALS
  | keyof typeof DPOP_REFUSALS
  | keyof typeof CREDENTIAL_REFUSALS
  | keyof typeof DEVICE_CODE_REFUSALS
  | keyof typeof ASSERTION_GRANT_REFUSALS
  | keyof typeof PASSWORD_REFUSALS
  | keyof typeof TOKEN_EXCHANGE_REFUSALS
  | keyof typeof ACCESS_TOKEN_REFUSALS
  | keyof typeof PRESENTED_TOKEN_REFUSALS
  | keyof typeof AUTHORIZATION_REFUSALS
  | keyof typeof PUSHED_REQUEST_REFUSALS
  | keyof typeof SIGN_IN_REFUSALS
  | keyof typeof REGISTRATION_REFUSALS
  | keyof typeof DEVICE_REFUSALS
  /** A fault of our own. */
  | 'fault';

export const REFUSALS: Readonly<Record<RefusalReason, Refusal>> = {
  ...REQUEST_REFUSALS,
  ...CLIENT_REFUSALS,
  ...ASSERTION_REFUSALS,
  ...DPOP_REFUSALS,
  ...CREDENTIAL_REFUSALS,
  ...DEVICE_CODE_REFUSALS,
  ...ASSERTION_GRANT_REFUSALS,
  ...PASSWORD_REFUSALS,
  ...TOKEN_EXCHANGE_REFUSALS,
  ...ACCESS_TOKEN_REFUSALS,
  ...PRESENTED_TOKEN_REFUSALS,
  ...AUTHORIZATION_REFUSALS,
  ...PUSHED_REQUEST_REFUSALS,
  ...SIGN_IN_REFUSALS,
  ...REGISTRATION_REFUSALS,
  ...DEVICE_REFUSALS,
  fault: {
    check: 'service',
    error: 'server_error',
    description: 'the service encountered an unexpected condition',
    summary: 'The service itself failed. This is a bug in Grantbench.',
    advice: 'Please report it with the steps to reproduce it.',
  },
};
