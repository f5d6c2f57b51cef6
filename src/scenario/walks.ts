// The steps of each grant in Flow as data, each with what a correct client sends. To add a grant to Flow, add its
// walk.

import {
  DEVICE_CODE_GRANT,
  JWT_BEARER_GRANT,
  TOKEN_EXCHANGE_GRANT,
} from '../oauth/token-request.ts';
import type { ScenarioStep } from './schema.ts';

/** The credentials that steps provide, by variable name. */
export type Credential =
  | 'code'
  | 'device_code'
  | 'user_code'
  | 'subject_token'
  | 'assertion'
  | 'access_token'
  | 'refresh_token';

/** The sender or receiver of a message. */
export type Party = 'app' | 'authorization' | 'token_endpoint' | 'api';

export interface WalkStep {
  readonly title: string;
  /** What the step does, in a few words. */
  readonly about: string;
  readonly step: ScenarioStep;
  /** Sender and receiver; the token is read where it is used. */
  readonly between: readonly [Party, Party];
  /** The credential that the step uses. */
  readonly needs?: Credential;
  /** The credentials that the step provides for later steps. */
  readonly provides?: readonly Credential[];
  /** The credential that the step replaces if another step has provided it. */
  readonly renews?: readonly Credential[];
  /** The step that must run first in an automatic run. */
  readonly after?: WalkStepId;
  /** The credential that is consumed once the response has tokens. */
  readonly spends?: Credential;
}

export type WalkStepId =
  | 'client'
  | 'code'
  | 'exchange'
  | 'device'
  | 'decide'
  | 'poll'
  | 'password'
  | 'client_credentials'
  | 'subject'
  | 'swap'
  | 'assertion'
  | 'bearer'
  | 'token'
  | 'refresh'
  | 'api';

const TOKENS = ['access_token', 'refresh_token'] as const;
/** The default scope for grants with a user. */
const SCOPE = 'openid profile email';
const A_TOKEN_REQUEST = 'A request to the token endpoint';
const TO_AUTHORIZATION = ['app', 'authorization'] as const;
const TO_TOKEN_ENDPOINT = ['app', 'token_endpoint'] as const;
const REFRESH: ScenarioStep = { token: { grant: 'refresh_token' } };

export const WALK_STEPS: Readonly<Record<WalkStepId, WalkStep>> = {
  client: {
    title: 'Client',
    about: 'Pick a client or register one',
    between: TO_AUTHORIZATION,
    step: {},
  },
  code: {
    title: 'Issue a code',
    about: 'A user signs in at the authorization endpoint',
    between: TO_AUTHORIZATION,
    step: { authorize: { parameters: { scope: SCOPE } } },
    provides: ['code'],
  },
  exchange: {
    title: 'Exchange the code',
    about: A_TOKEN_REQUEST,
    between: TO_TOKEN_ENDPOINT,
    step: { token: { grant: 'authorization_code' } },
    needs: 'code',
    spends: 'code',
    provides: TOKENS,
  },
  device: {
    title: 'Request the codes',
    about: 'A request to the device authorization endpoint',
    between: TO_AUTHORIZATION,
    step: { authorize_device: { fields: { scope: SCOPE } } },
    provides: ['device_code', 'user_code'],
  },
  decide: {
    title: 'Approve or deny',
    about: 'A user decides, at /device or here',
    between: TO_AUTHORIZATION,
    step: { approve_device: {} },
    needs: 'user_code',
  },
  poll: {
    title: 'Poll for the tokens',
    about: A_TOKEN_REQUEST,
    between: TO_TOKEN_ENDPOINT,
    step: { token: { grant: DEVICE_CODE_GRANT } },
    needs: 'device_code',
    spends: 'device_code',
    provides: TOKENS,
    after: 'decide',
  },
  password: {
    title: 'Send the password',
    about: `${A_TOKEN_REQUEST} (RFC 9700 2.4 forbids it)`,
    between: TO_TOKEN_ENDPOINT,
    step: { token: { grant: 'password', fields: { scope: SCOPE } } },
    provides: TOKENS,
  },
  client_credentials: {
    title: 'Request a token',
    about: `${A_TOKEN_REQUEST}, without a user`,
    between: TO_TOKEN_ENDPOINT,
    step: { token: { grant: 'client_credentials' } },
    provides: TOKENS,
  },
  subject: {
    title: 'Get a subject token',
    about: 'A token of the user, issued directly',
    between: TO_AUTHORIZATION,
    step: {
      issue_tokens: { scope: SCOPE },
      save: { subject_token: 'body.access_token' },
    },
    provides: ['subject_token'],
  },
  swap: {
    title: 'Exchange the token',
    about: A_TOKEN_REQUEST,
    between: TO_TOKEN_ENDPOINT,
    step: {
      token: { grant: TOKEN_EXCHANGE_GRANT, fields: { subject_token: '{{subject_token}}' } },
    },
    needs: 'subject_token',
    provides: TOKENS,
  },
  assertion: {
    title: 'Sign an assertion',
    about: 'A JWT for the user, with a key of this page',
    between: ['app', 'app'],
    step: { sign_assertion: {} },
    provides: ['assertion'],
  },
  bearer: {
    title: 'Send the assertion',
    about: A_TOKEN_REQUEST,
    between: TO_TOKEN_ENDPOINT,
    step: { token: { grant: JWT_BEARER_GRANT, fields: { scope: SCOPE } } },
    needs: 'assertion',
    spends: 'assertion',
    provides: TOKENS,
  },
  token: {
    title: 'Read the token',
    about: 'Claims, signature, remaining lifetime',
    between: ['api', 'token_endpoint'],
    step: { request: { path: '/.well-known/jwks.json' } },
    needs: 'access_token',
  },
  refresh: {
    title: 'Refresh',
    about: A_TOKEN_REQUEST,
    between: TO_TOKEN_ENDPOINT,
    step: REFRESH,
    needs: 'refresh_token',
    renews: TOKENS,
  },
  api: {
    title: 'Call an API with it',
    about: 'A request with the access token',
    between: ['app', 'api'],
    step: {
      request: { path: '/userinfo', headers: { Authorization: 'Bearer {{access_token}}' } },
    },
    needs: 'access_token',
  },
};

interface Walk {
  readonly title: string;
  /** What running all steps does. */
  readonly about: string;
  readonly steps: readonly WalkStepId[];
  /** The step that requests a scope. */
  readonly asks: WalkStepId;
}

const WITH_TOKENS: readonly WalkStepId[] = ['token', 'refresh', 'api'];
const EXPLAINED = 'Every message is drawn here and explained.';

export const WALKS = {
  authorization_code: {
    title: 'Authorization code',
    about: `Signs a user in, exchanges the code, reads the token, refreshes it and calls an API with it, over real HTTP. ${EXPLAINED}`,
    steps: ['client', 'code', 'exchange', ...WITH_TOKENS],
    asks: 'code',
  },
  [DEVICE_CODE_GRANT]: {
    title: 'Device authorization',
    about: `Requests a device code, approves it in place of the user, polls for the tokens, reads the access token, refreshes it and calls an API with it. ${EXPLAINED}`,
    steps: ['client', 'device', 'decide', 'poll', ...WITH_TOKENS],
    asks: 'device',
  },
  // These two grants issue no refresh token.
  [TOKEN_EXCHANGE_GRANT]: {
    title: 'Token exchange',
    about: `Takes a token of the user, exchanges it, reads the new token and calls an API with it. ${EXPLAINED}`,
    steps: ['client', 'subject', 'swap', 'token', 'api'],
    asks: 'subject',
  },
  [JWT_BEARER_GRANT]: {
    title: 'JWT bearer',
    about: `Signs an assertion that names the user, sends it, reads the access token and calls an API with it. ${EXPLAINED}`,
    steps: ['client', 'assertion', 'bearer', 'token', 'api'],
    asks: 'bearer',
  },
  password: {
    title: 'Password',
    about: `Sends the name and the password of the user, reads the access token, refreshes it and calls an API with it. ${EXPLAINED}`,
    steps: ['client', 'password', ...WITH_TOKENS],
    asks: 'password',
  },
  // Its token has no user, so userinfo has nothing to return.
  client_credentials: {
    title: 'Client credentials',
    about: `Requests a token for the client itself and reads it. ${EXPLAINED}`,
    steps: ['client', 'client_credentials', 'token'],
    asks: 'client_credentials',
  },
} as const satisfies Record<string, Walk>;

export type WalkGrant = keyof typeof WALKS;

export const WALK_GRANTS = Object.keys(WALKS) as readonly WalkGrant[];
export const WALK_STEP_IDS = Object.keys(WALK_STEPS) as readonly WalkStepId[];

export const stepsOf = (grant: WalkGrant): readonly WalkStepId[] => WALKS[grant].steps;

/** The number of the step's card, from 1. */
export const numberOf = (grant: WalkGrant, step: WalkStepId): number =>
  stepsOf(grant).indexOf(step) + 1;

/** Whether the following steps run as well. */
export function hasRunAfter(grant: WalkGrant, step: WalkStepId): boolean {
  return stepsOf(grant).at(-1) !== step;
}

/** Returns the nearest earlier step that provides a credential; null if there is none. */
export function stepProviding(
  grant: WalkGrant,
  step: WalkStepId,
  credential: Credential,
): WalkStepId | null {
  const steps = stepsOf(grant);
  const before = steps.slice(0, steps.indexOf(step));
  return before.findLast((id) => WALK_STEPS[id].provides?.includes(credential) === true) ?? null;
}
