// One attack: its own randomness, what it may do to the server, and what it sent, for whoever reads of a
// fault. Sockets it leaves open are closed with it, unless they are to linger.

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

/** As it went over the wire, nearly. */
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
    /** The answer, or null where there was none. */
    request: (order) => send('oauth', order),
    control: (order) => send('control', order),
    fail: (what, lines = []) => report(what, [...lines, ...details()]),
    wait: (ms) => sleep(ms, undefined, { signal: over.signal }).catch(() => undefined),
    /** A bare socket; its answers are examined by `answered`. */
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
    /** Aborts what is under way. */
    end: () => over.abort(),
    dispose: () => {
      for (const socket of sockets) socket.destroy();
      sockets.clear();
    },
  };
}
