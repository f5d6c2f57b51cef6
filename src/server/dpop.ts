// DPoP on the wire (RFC 9449): the header with the proof, the nonce that a response supplies, and the challenge for
// a request whose proof was rejected.

import type { IncomingHttpHeaders } from 'node:http';
import type { Evaluation } from '../core/checks/trace.ts';
import { DPOP_ALGS } from '../core/dpop/proof.ts';
import type { DpopHeader } from '../core/model/request.ts';
import type { PendingExchange } from './pending-exchange.ts';
import type { HeaderList } from './reply.ts';
import { splitTarget } from './request-target.ts';

/** null without the header. Node joins several header fields with commas. */
export function readDpopHeader(
  { method, target }: PendingExchange,
  { dpop, host = '' }: IncomingHttpHeaders,
): DpopHeader | null {
  if (dpop === undefined) return null;
  const [path] = splitTarget(target);
  return { value: String(dpop), method, host, path };
}

const NONE: HeaderList = [];

/** The nonce for the next proof, where nonces are required (RFC 9449 8 and 8.2). */
export function nonceHeader({ dpop }: Evaluation): HeaderList {
  const nonce = dpop?.nonce ?? null;
  return nonce === null ? NONE : ['DPoP-Nonce', nonce];
}

/** What proofs may be signed with, as a challenge says it (RFC 9449 7.1). */
export const ALGS_ATTRIBUTE = `algs="${DPOP_ALGS.join(' ')}"`;
