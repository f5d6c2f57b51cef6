// Starting and stopping the token service's sockets, one step at a time, and what has become of it.

import type { ServerState } from '../control/schemas.ts';
import type { HttpServer } from '../server/listen.ts';
import { PortInUseError } from '../server/bind.ts';
import { createRunExclusive } from './run-exclusive.ts';

export type Running = Pick<ServerState, 'state' | 'port' | 'ipv6' | 'problem'>;

export interface Lifecycle {
  /** Binds this port, or the former one. @throws PortInUseError and what else keeps it from listening */
  readonly start: (port?: number) => Promise<void>;
  readonly stop: () => Promise<void>;
  readonly now: () => Running;
}

function problemOf(error: unknown): NonNullable<Running['problem']> {
  if (error instanceof PortInUseError) {
    const free = error.free_port === null ? '' : `; ${error.free_port} is free`;
    return {
      code: 'port_in_use',
      message: `Port ${error.port} is in use by another program${free}.`,
      free_port: error.free_port,
    };
  }
  const message = error instanceof Error ? error.message : String(error);
  return { code: 'cannot_listen', message, free_port: null };
}

/**
 * @param prepare makes what must be there before the first request is answered
 * @param onChange called with every change of state
 */
export function createLifecycle(
  http: HttpServer,
  port: number,
  prepare: () => Promise<void>,
  onChange: () => void,
): Lifecycle {
  let running: Running = { state: 'stopped', port, ipv6: false, problem: null };
  const runExclusive = createRunExclusive();

  const become = (next: Partial<Running>) => {
    running = { ...running, problem: null, ...next };
    onChange();
  };
  const stop = async () => {
    if (running.state !== 'running') return;
    await http.stop();
    become({ state: 'stopped', ipv6: false });
  };
  const giveUp = async (error: unknown) => {
    await http.stop();
    throw error;
  };
  const start = async (wanted = running.port) => {
    if (running.state === 'running') {
      if (wanted === running.port) return;
      await stop();
    }
    try {
      // The port is taken meanwhile: together they take no longer than the slower one.
      const prepared = prepare();
      prepared.catch(() => undefined);
      const bound = await http.start(wanted);
      await prepared.catch(giveUp);
      become({ state: 'running', ...bound });
      http.answer();
    } catch (error) {
      become({ state: 'failed', port: wanted, problem: problemOf(error) });
      throw error;
    }
  };
  return {
    start: (wanted) => runExclusive(() => start(wanted)),
    stop: () => runExclusive(stop),
    now: () => running,
  };
}
