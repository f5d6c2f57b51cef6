// What a person has entered for one walk through the flow. Pure.

import type { BodyFormat } from '../../../oauth/fields.ts';
import type { FlowGrant } from './flow-steps.ts';

/** How a code is had: at /authorize as a browser would, by a person there, or from control in place of both. */
export type AuthorizeWay = 'browser' | 'person' | 'control';
/** Where an access token is presented (RFC 6750 2.1, 2.2). */
export type TokenPlace = 'header' | 'body';

/** What the person has entered; null means "as it follows from the step before". */
export interface FlowInputs {
  grant: FlowGrant;
  client_id: string | null;
  sub: string | null;
  redirect_uri: string | null;
  /** Empty: the authorization names none. */
  audience: string | null;
  scope: string;
  pkce: boolean;
  /** Whether tokens are to be bound to a key (RFC 9449). */
  dpop: boolean;
  /** Whether the request is pushed before the browser brings it (RFC 9126). */
  push: boolean;
  authorize: AuthorizeWay;
  exchange_format: BodyFormat;
  exchange_secret: string | null;
  exchange_code: string | null;
  exchange_redirect_uri: string | null;
  exchange_audience: string | null;
  /** What the user decides about the device. */
  decision: 'approve' | 'deny';
  poll_code: string | null;
  /** Of the user; null: none was entered. */
  password: string | null;
  subject_token: string | null;
  assertion: string | null;
  refresh_format: BodyFormat;
  refresh_secret: string | null;
  refresh_token: string | null;
  refresh_scope: string;
  api_token: string | null;
  api_token_in: TokenPlace;
}

export function startingInputs(): FlowInputs {
  return {
    grant: 'authorization_code',
    client_id: null,
    sub: null,
    redirect_uri: null,
    audience: null,
    scope: 'openid profile email',
    pkce: false,
    dpop: false,
    push: false,
    authorize: 'browser',
    exchange_format: 'json',
    exchange_secret: null,
    exchange_code: null,
    exchange_redirect_uri: null,
    exchange_audience: null,
    decision: 'approve',
    poll_code: null,
    password: null,
    subject_token: null,
    assertion: null,
    refresh_format: 'form',
    refresh_secret: null,
    refresh_token: null,
    refresh_scope: '',
    api_token: null,
    api_token_in: 'header',
  };
}
