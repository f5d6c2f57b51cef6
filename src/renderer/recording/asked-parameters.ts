// What an authorization request asked for, whether it was pushed or brought by the browser.

import type { Exchange } from '../../control/schemas.ts';
import { bodyText } from '../exchange/answer.ts';
import { PUSH_PATH } from '../../oauth/endpoint-requests.ts';
import { parseJsonObject } from '../../oauth/json-object.ts';

export const isPush = ({ method, path }: Exchange): boolean =>
  method === 'POST' && path.split('?', 1)[0] === PUSH_PATH;

/** The parameters in the form of a push, without the secret of its client, else those of the query. */
export function askedParameters(exchange: Exchange): string {
  if (!isPush(exchange)) return exchange.path.split('?', 2)[1] ?? '';
  const pushed = new URLSearchParams(bodyText(exchange.request));
  pushed.delete('client_secret');
  return pushed.toString();
}

/** The request_uri of a response to a push; null when it was rejected. */
export function requestUriOf(exchange: Exchange): string | null {
  const request_uri = parseJsonObject(bodyText(exchange.response))?.['request_uri'];
  return exchange.status === 201 && typeof request_uri === 'string' ? request_uri : null;
}
