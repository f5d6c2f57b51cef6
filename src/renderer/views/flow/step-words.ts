// The steps and the grants in words.

import type { Client, Settings } from '../../../control/schemas.ts';
import {
  DEVICE_CODE_GRANT,
  JWT_BEARER_GRANT,
  TOKEN_EXCHANGE_GRANT,
} from '../../../oauth/token-request.ts';
import { pluralize } from '../../ui/short-forms.ts';
import type { AuthorizeWay } from './flow-inputs.ts';
import type { FlowGrant, StepId } from './flow-steps.ts';

export const STEP_TITLES: Record<StepId, string> = {
  client: 'Client',
  code: 'Issue a code',
  exchange: 'Exchange the code',
  device: 'Request the codes',
  decide: 'Approve or deny',
  poll: 'Poll for the tokens',
  password: 'Send the password',
  subject: 'Get a subject token',
  swap: 'Exchange the token',
  assertion: 'Sign an assertion',
  bearer: 'Send the assertion',
  token: 'Read the token',
  refresh: 'Refresh',
  api: 'Call an API with it',
  hammer: 'Hammer until throttled',
};

export const GRANT_TITLES: Record<FlowGrant, string> = {
  authorization_code: 'Authorization code',
  [DEVICE_CODE_GRANT]: 'Device authorization',
  [TOKEN_EXCHANGE_GRANT]: 'Token exchange',
  [JWT_BEARER_GRANT]: 'JWT bearer',
  password: 'Password',
};

/** What a run of all steps does. */
export const GRANT_RUNS: Record<FlowGrant, string> = {
  authorization_code:
    'Signs in for the demo client, exchanges the code, reads the token, refreshes it and calls an API with it, over real HTTP. Every message is drawn here and explained.',
  [DEVICE_CODE_GRANT]:
    'Requests a device code, approves it in place of the user, polls for the tokens, reads the access token, refreshes it and calls an API with it. Every message is drawn here and explained.',
  [TOKEN_EXCHANGE_GRANT]:
    'Takes a token of the user, exchanges it for another one, reads that and calls an API with it. Every message is drawn here and explained.',
  [JWT_BEARER_GRANT]:
    'Signs an assertion that names the user, sends it, reads the access token and calls an API with it. Every message is drawn here and explained.',
  password:
    'Sends the name and the password of the user, reads the access token, refreshes it and calls an API with it. Every message is drawn here and explained.',
};

const HINTS: Record<Exclude<StepId, 'hammer'>, string> = {
  client: 'Pick a client or register one',
  code: 'A user signs in at /authorize',
  exchange: 'JSON over POST /oauth/token',
  device: 'A form over POST /oauth/device_authorization',
  decide: 'A user decides, at /device or here',
  poll: 'A form over POST /oauth/token',
  password: 'A form over POST /oauth/token (RFC 9700 2.4 forbids it)',
  subject: 'A token of the user, issued directly',
  swap: 'A form over POST /oauth/token',
  assertion: 'A JWT for the user, with a key of this page',
  bearer: 'A form over POST /oauth/token',
  token: 'Claims, signature, remaining life',
  refresh: 'A form over POST /oauth/token',
  api: 'GET /userinfo with the access token',
};

const WAY_HINTS = {
  person: 'You sign in, in your browser',
  control: 'Issued directly, without a sign-in',
} as const;

/** What the step will do, until it has been done. */
export function hintOf(
  id: StepId,
  throttle: Settings['throttle'] | undefined,
  way: AuthorizeWay,
): string {
  if (id === 'code' && way !== 'browser') return WAY_HINTS[way];
  if (id !== 'hammer') return HINTS[id];
  if (throttle === undefined) return 'Refreshes until 429';
  const { limit, window_seconds, mode } = throttle;
  if (mode === 'off') return 'Throttling is off';
  const bound = `${limit.toLocaleString('en')} per ${window_seconds} s for this token and IP`;
  return mode === 'observe' ? `${bound}, observe only` : bound;
}

export function clientInWords({ client_name, redirect_uris }: Client): string {
  const uris = pluralize(redirect_uris.length, 'redirect URI');
  return `${client_name || 'No name'} · ${uris}`;
}

/** What became of a device. */
export const DECIDED = { approve: 'approved', deny: 'denied', expire: 'expired' } as const;
