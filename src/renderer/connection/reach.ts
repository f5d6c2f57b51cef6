// What the page may say about the sandbox, and which actions it may offer, in each state of the connection and the
// server. Every live statement, and every button that needs either, asks here.

import type { ServerState } from '../../control/schemas.ts';
import { page, usePage, type State } from './state.ts';

/** What an action needs: the control connection, or a running server too, as it sends requests. */
export type Need = 'connection' | 'server';

export interface Reach {
  /** `unknown` while the page does not follow the engine. */
  readonly server: ServerState['state'] | 'unknown';
  /** Whether the page follows the engine. Otherwise it must not say that something waits, runs or counts. */
  readonly live: boolean;
  /** Why each need is not met now; null if it is. */
  readonly obstacles: Readonly<Record<Need, string | null>>;
}

const NOT_LIVE: Record<State['connection'], string> = {
  connecting: 'This page is still connecting to Grantbench.',
  open: 'This page is still connecting to Grantbench.',
  lost: 'The connection to Grantbench is lost.',
  rejected: 'Grantbench rejected this page’s control token.',
};

const NOT_RUNNING = {
  running: null,
  stopped: 'The server is stopped. Start it first.',
  failed: 'The server is not running. Start it first.',
} as const;

export function reachOf({
  connection,
  followed,
  server,
}: Pick<State, 'connection' | 'followed' | 'server'>): Reach {
  if (connection === 'open' && followed && server !== null) {
    const { state } = server;
    return {
      server: state,
      live: true,
      obstacles: { connection: null, server: NOT_RUNNING[state] },
    };
  }
  const why = NOT_LIVE[connection];
  return { server: 'unknown', live: false, obstacles: { connection: why, server: why } };
}

export const useReach = <T>(select: (reach: Reach) => T): T =>
  usePage((state) => select(reachOf(state)));

/** Why the need is not met now; null if it is. */
export const obstacleTo = (need: Need): string | null => reachOf(page.getState()).obstacles[need];

/** The same for a view. @param need undefined if there is no requirement */
export const useObstacle = (need: Need | undefined): string | null =>
  useReach(({ obstacles }) => (need === undefined ? null : obstacles[need]));
