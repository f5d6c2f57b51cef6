// The contract over a WebSocket that its owner has opened at /rpc, and what it was refused.

import { createORPCClient, ORPCError } from '@orpc/client';
import { RPCLink, type LinkWebsocketClientOptions } from '@orpc/client/websocket';
import type { ControlClient } from './client.ts';

export type ControlSocket = LinkWebsocketClientOptions['websocket'];

export const createSocketClient = (websocket: ControlSocket): ControlClient =>
  createORPCClient(new RPCLink({ websocket }));

/** An error of the contract, as its caller gets it. */
export interface ControlRefusal {
  readonly code: string;
  /** Names the field at fault and the rule. */
  readonly message: string;
}

/** What an operation was refused with; null for any other error. */
export function refusalOf(error: unknown): ControlRefusal | null {
  if (!(error instanceof ORPCError)) return null;
  const { code, message } = error as ORPCError<string, unknown>;
  return { code, message };
}

/** A call under way when the connection closes is refused in words about the client's own queues. */
export const isCutOff = (error: unknown): boolean =>
  error instanceof Error && error.name === 'AbortError';
