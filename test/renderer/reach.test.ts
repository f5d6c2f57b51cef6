// What the page may state and offer, for every state of the connection and of the server.

import { describe, expect, test } from 'vitest';
import type { ServerState } from '../../src/control/schemas.ts';
import { reachOf } from '../../src/renderer/connection/reach.ts';
import {
  EMPTY,
  withConnection,
  withLists,
  type State,
} from '../../src/renderer/connection/state.ts';

const server = (state: ServerState['state']) => ({ state }) as ServerState;

/** A page whose lists were loaded while the server was in this state. */
const following = (state: ServerState['state']): State =>
  withLists({ ...withConnection(EMPTY, 'open', 0), server: server(state) });

const LOST = 'The connection to Grantbench is lost.';
const REJECTED = 'Grantbench rejected this page’s control token.';
const CONNECTING = 'This page is still connecting to Grantbench.';

describe('while the page is connected to the engine', () => {
  test.each([
    ['running', null],
    ['stopped', 'The server is stopped. Start it first.'],
    ['failed', 'The server is not running. Start it first.'],
  ] as const)(
    'the server is shown as %s, and requests can be sent only while it runs',
    (state, why) => {
      expect(reachOf(following(state))).toEqual({
        server: state,
        live: true,
        obstacles: { connection: null, server: why },
      });
    },
  );
});

describe('while the page is not connected', () => {
  test.each(
    (['running', 'stopped', 'failed'] as const).flatMap((state) =>
      (
        [
          ['lost', LOST],
          ['rejected', REJECTED],
          ['connecting', CONNECTING],
        ] as const
      ).map(([connection, why]) => [state, connection, why] as const),
    ),
  )(
    'a server that was %s is unknown once the connection is %s, and nothing is live or offered',
    (state, connection, why) => {
      expect(reachOf(withConnection(following(state), connection, 1))).toEqual({
        server: 'unknown',
        live: false,
        obstacles: { connection: why, server: why },
      });
    },
  );

  test('after reconnecting, nothing is known before the lists are loaded', () => {
    const again = withConnection(withConnection(following('running'), 'lost', 1), 'open', 2);
    expect(reachOf(again)).toMatchObject({ server: 'unknown', live: false });
    expect(reachOf(withLists(again))).toMatchObject({ server: 'running', live: true });
  });

  test('before the first connection nothing is known', () => {
    expect(reachOf(EMPTY)).toEqual({
      server: 'unknown',
      live: false,
      obstacles: { connection: CONNECTING, server: CONNECTING },
    });
  });

  test('lists do not count as live when their connection is lost before they are loaded', () => {
    const lost = withConnection(following('running'), 'lost', 1);
    expect(withLists(lost)).toMatchObject({ followed: false, loaded: true });
  });
});

describe('the access token', () => {
  const states = (...connections: State['connection'][]) =>
    connections.reduce(
      (state, connection, at) => withConnection(state, connection, at),
      following('running'),
    );

  test('is requested from its rejection until a connection is open or lost', () => {
    expect(states('lost', 'rejected').token_wanted).toBe(true);
    expect(states('lost', 'rejected', 'connecting').token_wanted).toBe(true);
    expect(states('lost', 'rejected', 'connecting', 'rejected').token_wanted).toBe(true);
    expect(states('lost', 'rejected', 'connecting', 'open').token_wanted).toBe(false);
    expect(states('lost', 'rejected', 'connecting', 'lost').token_wanted).toBe(false);
  });

  test('the page knows since when it may be out of date, whatever happens before it reconnects', () => {
    expect(states('lost', 'rejected', 'connecting', 'rejected').lost_ms).toBe(0);
    expect(states('lost', 'rejected', 'connecting', 'open').lost_ms).toBeNull();
  });
});
