// The keys that the access tokens of an exchange are bound to (RFC 9449 6.1).

import type { Exchange } from '../../control/schemas.ts';
import { headerOf } from '../../oauth/fields.ts';
import { isJsonObject } from '../../oauth/json-object.ts';
import { decodeJwt } from '../../oauth/jwt.ts';
import { tokenAnswerOf } from './answer.ts';

export interface BoundKey {
  /** Begins a sentence: "The access token that is presented". */
  readonly what: string;
  /** Thumbprint of the key (RFC 7638). */
  readonly jkt: string;
}

/** `cnf.jkt` of a token; null for one that is not bound, or cannot be read. */
export function boundKeyOf(token: string | null): string | null {
  const { cnf } = (token === null ? null : decodeJwt(token))?.payload ?? {};
  return isJsonObject(cnf) && typeof cnf['jkt'] === 'string' ? cnf['jkt'] : null;
}

/** What is presented comes first. */
export function boundKeys(exchange: Exchange): readonly BoundKey[] {
  const authorization = headerOf(exchange.request.headers, 'authorization') ?? '';
  const presented = /^(?:DPoP|Bearer) (.+)$/i.exec(authorization)?.[1] ?? null;
  const tokens = [
    ['The access token that is presented', presented],
    ['The access token in the response', tokenAnswerOf(exchange)?.access_token ?? null],
  ] as const;
  return tokens.flatMap(([what, token]) => {
    const jkt = boundKeyOf(token);
    return jkt === null ? [] : [{ what, jkt }];
  });
}
