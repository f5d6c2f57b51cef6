// One attack: its own random numbers, its operations on the server, and a record of what it sent, for the report of a
// failure. Open sockets are closed with it, unless they are meant to linger.

import { setTimeout as sleep } from 'node:timers/promises';
import { excerpt } from './findings.mjs';
import { openSocket, readAnswers } from './wire.mjs';
import { ORDERED } from './world.mjs';

const KEPT = 4;
const LONGEST_KEPT = 2000;

const headerOf = (head, name) =>
  new RegExp(`\r\n${name}: ([^\r]*)`, 'i').exec(head)?.[1] ?? undefined;

const asAnswer = ({ status, head, body }) => ({
  status,
  text: body,
  headers: {
    location: headerOf(head, 'location'),
    [ORDERED]: headerOf(head, ORDERED),
  },
});

/** Approximately as sent on the wire. */
const written = ({ method = 'GET', path, headers = {}, body = '' }) =>
  `${method} ${path} ${JSON.stringify(headers)} ${body.slice(0, LONGEST_KEPT)}`;

export function createAttack({ number, kind, world, http, random, figures, report }) {
  const sent = [];
  const sockets = new Set();
  const over = new AbortController();

  const note = (bytes) => {
    sent.push(Buffer.from(bytes.slice(0, LONGEST_KEPT)));
    if (sent.length > KEPT) sent.shift();
  };
  const details = () => [
    `attack ${number}, ${kind.name}, on ${world.instance.scheme}`,
    ...sent.map((bytes) => `sent ${excerpt(bytes)}`),
  ];
  /** In one line, among many others. */
  const brief = () => {
    const last = sent.length === 0 ? '' : `, last sent ${excerpt(sent.at(-1), 120)}`;
    return `attack ${number}, ${kind.name}, on ${world.instance.scheme}${last}`;
  };
  const send = async (origin, order) => {
    note(written(order));
    figures.count('requests');
    try {
      const answer = await http[origin]({ ...order, signal: over.signal });
      await world.examine(origin, answer, details());
      return answer;
    } catch {
      figures.count(over.signal.aborted ? 'given up' : 'hung up on');
      return null;
    }
  };
  return {
    random,
    world,
    instance: world.instance,
    details,
    brief,
    /** The response, or null without one. */
    request: (order) => send('oauth', order),
    control: (order) => send('control', order),
    fail: (what, lines = []) => report(what, [...lines, ...details()]),
    wait: (ms) => sleep(ms, undefined, { signal: over.signal }).catch(() => undefined),
    /** A raw socket; its responses are checked by `answered`. */
    open: async (port = 'oauth') => {
      figures.count('sockets');
      const socket = await openSocket(world.instance, port);
      sockets.add(socket);
      return {
        ...socket,
        send: (bytes) => {
          note(bytes);
          return socket.send(bytes);
        },
        answered: async () => {
          const answers = readAnswers(socket.received());
          figures.count('requests', answers.length);
          for (const answer of answers) await world.examine(port, asAnswer(answer), details());
          return answers;
        },
      };
    },
    /** Aborts pending operations. */
    end: () => over.abort(),
    dispose: () => {
      for (const socket of sockets) socket.destroy();
      sockets.clear();
    },
  };
}
