// Starts and stops the sockets of the authorization server, one step at a time, and has their state.

import type { ServerState } from '../control/schemas.ts';
import type { HttpServer, ListenAddress } from '../server/listen.ts';
import { createRunExclusive } from './promises.ts';

export type Running = Pick<ServerState, 'state' | 'ipv6' | 'problem'> & ListenAddress;

/** Where to listen from now on. Omitted members keep their values. */
export type Move = { readonly [Name in keyof ListenAddress]?: ListenAddress[Name] | undefined };

/** @param prepare makes what the first request needs @param onChange called with every change of state */
export function createLifecycle(
  http: HttpServer,
  begin: ListenAddress,
  prepare: () => Promise<void>,
  onChange: () => void,
) {
  let running: Running = { state: 'stopped', ...begin, ipv6: false, problem: null };
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
  const listen = async (at: ListenAddress) => {
    // Binding the port runs concurrently, so that both take no longer than the slower one.
    const prepared = prepare();
    prepared.catch(() => undefined);
    const bound = await http.start(at);
    await prepared.catch(giveUp);
    become({ state: 'running', ...at, ...bound });
    http.answer();
  };
  const fail = async (error: unknown, at: ListenAddress) => {
    const { listenProblem } = await import('./listen-problem.ts');
    become({ state: 'failed', ...at, problem: listenProblem(error, at.host).problem });
  };
  const start = async (move: Move = {}) => {
    const { state, port, host, https } = running;
    const former = { port, host, https };
    const at = {
      port: move.port ?? port,
      host: move.host === undefined ? host : move.host,
      https: move.https ?? https,
    };
    const moves = state === 'running';
    if (moves) {
      if (at.port === port && at.host === host && at.https === https) return;
      await stop();
    }
    try {
      await listen(at);
    } catch (error) {
      if (moves) await listen(former).catch((again: unknown) => fail(again, former));
      else await fail(error, at);
      throw error;
    }
  };
  return {
    /**
     * Listens on the given address; omitted members keep their values. If that fails, it listens on the previous
     * address again.
     * @throws PortInUseError, or another error if it cannot listen
     */
    start: (move?: Move): Promise<void> => runExclusive(() => start(move)),
    stop: () => runExclusive(stop),
    now: () => running,
  };
}
