// An authorization request that outlives its exchange: while a person is asked, or between its push and its use.

import type { AuthorizationRequest } from './request.ts';
import { isAuthorizationParameter } from './ignored-parameters.ts';
import { keptText } from '../collections/kept-text.ts';
import { textBytes } from '../collections/weight.ts';

const PARAMETER_BYTES = 64;

/** What nobody reads is not kept: there may be any amount of it. */
export function keptRequest(request: AuthorizationRequest): AuthorizationRequest {
  const read = [...request.parameters].filter(([name]) => isAuthorizationParameter(name));
  const parameters = new Map(read.map(([name, value]) => [name, keptText(value)]));
  return { ...request, parameters };
}

/** Its weight in a bounded collection. */
export function requestBytes({ parameters, request_uri }: AuthorizationRequest): number {
  let bytes = request_uri === undefined ? 0 : textBytes(request_uri);
  for (const [name, value] of parameters) {
    bytes += PARAMETER_BYTES + textBytes(name) + textBytes(value);
  }
  return bytes;
}
