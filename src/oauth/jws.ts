// Signs a JWS in compact form (RFC 7515 3.1): a DPoP proof, or an assertion.

import { encodeBase64url } from './base64.ts';
import type { JsonObject } from './json-object.ts';

/** What signs is handed in, so that the private key stays where it is. */
export interface JwsKey {
  /** The signature as a JWS holds it (RFC 7518 3). */
  readonly sign: (bytes: Uint8Array<ArrayBuffer>) => Promise<Uint8Array>;
}

const utf8 = (text: string) => new TextEncoder().encode(text);
const encodeJson = (value: JsonObject): string => encodeBase64url(utf8(JSON.stringify(value)));

/** Unsigned with the alg none (RFC 7515 A.5). */
export async function signJws(
  { sign }: JwsKey,
  header: JsonObject,
  payload: JsonObject,
): Promise<string> {
  const signed = `${encodeJson(header)}.${encodeJson(payload)}`;
  if (header['alg'] === 'none') return `${signed}.`;
  return `${signed}.${encodeBase64url(await sign(utf8(signed)))}`;
}
