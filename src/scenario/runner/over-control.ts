// Sends requests of steps through the control API, which returns their exchanges. The page and the command line thus
// only need control.

import type { ControlClient } from '../../control/contract.ts';
import type { Exchange, SendRequest } from '../../control/schemas.ts';
import { encodeBase64 } from '../../oauth/base64.ts';
import type { HttpAnswer, WireRequest } from './scenario-sandbox.ts';

export function sendRequestOf({ method, path, headers, body = '' }: WireRequest): SendRequest {
  return {
    method,
    path,
    headers: headers.map(([name, value]): [string, string] => [name, value]),
    ...(typeof body === 'string' ? { body } : { body_base64: encodeBase64(body) }),
  };
}

/** @param exchange the exchange with secrets */
export function answeredBy(exchange: Exchange): HttpAnswer {
  const { status, response } = exchange;
  const headers: Record<string, string[]> = {};
  for (const [name, value] of response.headers) (headers[name.toLowerCase()] ??= []).push(value);
  return { status, headers, text: textOf(response), exchange };
}

function textOf({ body, body_encoding }: Exchange['response']): string {
  if (body_encoding === 'utf8') return body;
  const bytes = Uint8Array.from(atob(body), (letter) => letter.charCodeAt(0));
  return new TextDecoder().decode(bytes);
}

export const sendOverControl =
  ({ requests }: Pick<ControlClient, 'requests'>, sent_by: NonNullable<SendRequest['sent_by']>) =>
  async (request: WireRequest, signal?: AbortSignal): Promise<HttpAnswer> => {
    const order = { ...sendRequestOf(request), sent_by, secrets: true };
    return answeredBy(await requests.send(order, signal === undefined ? {} : { signal }));
  };
