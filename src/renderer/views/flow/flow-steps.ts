// The grants that can be walked through, and the steps of each. Pure.

import {
  DEVICE_CODE_GRANT,
  JWT_BEARER_GRANT,
  TOKEN_EXCHANGE_GRANT,
} from '../../../oauth/token-request.ts';

export const STEP_IDS = [
  'client',
  'code',
  'exchange',
  'device',
  'decide',
  'poll',
  'password',
  'subject',
  'swap',
  'assertion',
  'bearer',
  'token',
  'refresh',
  'api',
  'hammer',
] as const;
export type StepId = (typeof STEP_IDS)[number];

export const FLOW_GRANTS = [
  'authorization_code',
  DEVICE_CODE_GRANT,
  TOKEN_EXCHANGE_GRANT,
  JWT_BEARER_GRANT,
  'password',
] as const;
export type FlowGrant = (typeof FLOW_GRANTS)[number];

const WITH_TOKENS: readonly StepId[] = ['token', 'refresh', 'api', 'hammer'];

const STEPS_OF: Record<FlowGrant, readonly StepId[]> = {
  authorization_code: ['client', 'code', 'exchange', ...WITH_TOKENS],
  [DEVICE_CODE_GRANT]: ['client', 'device', 'decide', 'poll', ...WITH_TOKENS],
  // There is no refresh token with these two.
  [TOKEN_EXCHANGE_GRANT]: ['client', 'subject', 'swap', 'token', 'api'],
  [JWT_BEARER_GRANT]: ['client', 'assertion', 'bearer', 'token', 'api'],
  password: ['client', 'password', ...WITH_TOKENS],
};

export const stepsOf = (grant: FlowGrant): readonly StepId[] => STEPS_OF[grant];

/** As its card is numbered, from 1. */
export const numberOf = (grant: FlowGrant, step: StepId): number =>
  STEPS_OF[grant].indexOf(step) + 1;
