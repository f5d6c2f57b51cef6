// Every reason for which a request is rejected: its error code, its error_description (behaviour 3), and the texts
// that only the trace shows. An error_description is ASCII without quotes or backslashes, and never contains anything
// that the client sent, except the names of parameters that the protocol defines. The checks decide which reason
// applies; places.ts says where each one can occur.

import {
  ACCESS_TOKEN_REFUSALS,
  API_REFUSALS,
  PRESENTED_TOKEN_REFUSALS,
} from './of-access-tokens.ts';
import {
  ASSERTION_GRANT_REFUSALS,
  ASSERTION_REFUSALS,
  ON_BEHALF_OF_REFUSALS,
} from './of-assertions.ts';
import { AUTHORIZATION_REFUSALS, PUSHED_REQUEST_REFUSALS } from './of-authorization.ts';
import { CREDENTIAL_REFUSALS, PASSWORD_REFUSALS } from './of-credentials.ts';
import { DEVICE_CODE_REFUSALS, DEVICE_REFUSALS } from './of-devices.ts';
import { CLIENT_REFUSALS, REGISTRATION_REFUSALS } from './of-clients.ts';
import { REQUEST_REFUSALS } from './of-requests.ts';
import { DPOP_REFUSALS } from './of-dpop.ts';
import { TOKEN_EXCHANGE_REFUSALS } from './of-token-exchange.ts';
import { SIGN_IN_REFUSALS } from './of-sign-in.ts';
import type { Refusal } from './refusal.ts';

export { differsAt } from './of-credentials.ts';
export type { CheckId, ErrorCode, RefusalFacts } from './refusal.ts';

/** In the order of evaluation (behaviour 3), by the names of their tables in the documentation. */
export const GROUPS = {
  requests: REQUEST_REFUSALS,
  clients: CLIENT_REFUSALS,
  'client assertions': ASSERTION_REFUSALS,
  dpop: DPOP_REFUSALS,
  credentials: CREDENTIAL_REFUSALS,
  'device codes': DEVICE_CODE_REFUSALS,
  assertions: { ...ASSERTION_GRANT_REFUSALS, ...ON_BEHALF_OF_REFUSALS },
  passwords: PASSWORD_REFUSALS,
  'token exchange': TOKEN_EXCHANGE_REFUSALS,
  'access tokens': ACCESS_TOKEN_REFUSALS,
  'protected apis': API_REFUSALS,
  'presented tokens': PRESENTED_TOKEN_REFUSALS,
  authorization: AUTHORIZATION_REFUSALS,
  'pushed requests': PUSHED_REQUEST_REFUSALS,
  'sign in': SIGN_IN_REFUSALS,
  registration: REGISTRATION_REFUSALS,
  devices: DEVICE_REFUSALS,
} as const;

type ReasonOf<Group> = Group extends unknown ? keyof Group : never;

/** Every reason; `fault` is an internal error. */
export type RefusalReason = ReasonOf<(typeof GROUPS)[keyof typeof GROUPS]> | 'fault';

const FAULT: Refusal = {
  check: 'service',
  error: 'server_error',
  description: 'the service encountered an unexpected condition',
  summary: 'The service itself failed. This is a bug in Grantbench.',
  advice: 'Please report it with the steps to reproduce it.',
};

export const REFUSALS = Object.assign({}, ...Object.values(GROUPS), {
  fault: FAULT,
}) as Readonly<Record<RefusalReason, Refusal>>;
