// The response to a device authorization request (RFC 8628 3.2), as the flow holds it.

import type { Exchange } from '../../control/schemas.ts';
import { DEVICE_AUTHORIZATION_PATH } from '../../oauth/endpoint-requests.ts';
import { parseJsonObject } from '../../oauth/json-object.ts';
import { bodyText } from './answer.ts';

/** The device that waits for its user, with both of its codes. */
export interface HeldDevice {
  device_code: string;
  user_code: string;
  client_id: string;
  verification_uri_complete: string;
  expires_at: string;
  spent: boolean;
}

/** null when it was refused. @param client_id who asked */
export function deviceOf(exchange: Exchange, client_id: string): HeldDevice | null {
  if (exchange.status !== 200 || !exchange.path.startsWith(DEVICE_AUTHORIZATION_PATH)) return null;
  const body = parseJsonObject(bodyText(exchange.response)) ?? {};
  const { device_code, user_code, verification_uri_complete, expires_in } = body;
  if (typeof device_code !== 'string' || typeof user_code !== 'string') return null;
  const expires = Date.parse(exchange.clock.now) + Number(expires_in) * 1000;
  return {
    device_code,
    user_code,
    client_id,
    verification_uri_complete: String(verification_uri_complete),
    expires_at: new Date(expires).toISOString(),
    spent: false,
  };
}
