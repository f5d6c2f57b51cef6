// What /userinfo said of the user.

import { parseJsonObject } from '../../oauth/json-object.ts';
import type { Exchange } from '../../control/schemas.ts';
import { bodyText, isRefused } from './answer.ts';

/** The claims of a good answer; null for any other. */
export function claimsOf(exchange: Exchange): Record<string, unknown> | null {
  if (isRefused(exchange) || !exchange.path.startsWith('/userinfo')) return null;
  return parseJsonObject(bodyText(exchange.response));
}
