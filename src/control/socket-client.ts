// A client of the contract over an open WebSocket at /rpc, and its errors.

import { createORPCClient, ORPCError } from '@orpc/client';
import { RPCLink, type LinkWebsocketClientOptions } from '@orpc/client/websocket';
import type { ControlClient } from './contract.ts';

export type ControlSocket = LinkWebsocketClientOptions['websocket'];

export const createSocketClient = (websocket: ControlSocket): ControlClient =>
  createORPCClient(new RPCLink({ websocket }));

/** An error of the contract, as callers receive it. */
export interface ControlRefusal {
  readonly code: string;
  /** A sentence that names the invalid field and the rule. */
  readonly message: string;
}

/** Returns the contract error of a rejected operation; null for any other error. */
export function refusalOf(error: unknown): ControlRefusal | null {
  if (!(error instanceof ORPCError)) return null;
  const { code, message } = error as ORPCError<string, unknown>;
  return { code, message };
}

/** If the connection closes during a call, oRPC rejects the call with an error about its internal queues. */
export const isCutOff = (error: unknown): boolean =>
  error instanceof Error && error.name === 'AbortError';
