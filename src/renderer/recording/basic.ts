// HTTP Basic as apps send it: id and secret form-encoded before they are joined, or not (RFC 6749 2.3.1).

import { basicAuthorization, type Credentials } from '../../oauth/client-authentication.ts';
import { base64OfText } from '../../oauth/base64.ts';

/** Whether the Authorization header proves this client. */
export function isBasicOf(authorization: string, client: Credentials): boolean {
  const plain = base64OfText(`${client.client_id}:${client.client_secret ?? ''}`);
  const [, sent] = /^basic\s+(\S+)$/i.exec(authorization) ?? [];
  return sent === plain || `Basic ${sent}` === basicAuthorization(client);
}
