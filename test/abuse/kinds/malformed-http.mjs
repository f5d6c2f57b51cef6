// Malformed HTTP and other input: random and corrupted messages, and connections that reset, stall or stay half-open
// at any moment, on both ports. Fixed attacks are tests (test/hostile).

import { parameterName, shapedText } from './shapes.mjs';

const PORTS = ['oauth', 'oauth', 'control'];

const TOKEN_REQUEST =
  'POST /oauth/token HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/x-www-form-urlencoded\r\n';
const LIVE = 'GET /livez HTTP/1.1\r\nHost: localhost\r\n\r\n';

/** The ways in which a client ends or keeps its connection. */
async function leave(attack, socket) {
  const way = attack.random.below(5);
  if (way === 0) return socket.reset();
  if (way === 1) return socket.destroy();
  if (way === 2) socket.finish();
  await Promise.race([socket.over, attack.wait(attack.random.size(2000))]);
  if (way === 3) socket.reset();
}

async function sendAndLeave(attack, port, bytes) {
  const socket = await attack.open(port);
  await socket.send(bytes);
  await leave(attack, socket);
  await socket.answered();
}

/** Changes, removes and inserts single bytes. */
function mutated(random, text) {
  const bytes = [...Buffer.from(text, 'latin1')];
  for (let count = random.between(1, 4); count > 0; count--) {
    bytes.splice(random.below(bytes.length), random.below(2), ...random.bytes(random.below(3)));
  }
  return Buffer.from(bytes);
}

const METHODS = [
  'GET', 'POST', 'HEAD', 'OPTIONS', 'PUT', 'DELETE', 'TRACE', 'CONNECT', 'CONNECT', 'BREW',
]; // prettier-ignore
const VERSIONS = ['HTTP/1.1', 'HTTP/1.1', 'HTTP/1.1', 'HTTP/1.0', 'HTTP/2.0', 'HTTP/9.9', ''];
const PATHS = [
  '/oauth/token', '/authorize', '/livez', '/rpc', '/docs', '/api/clients', '/assets/', '/x',
]; // prettier-ignore
const STEPS = [
  '/', '//', '/..', '/%2e%2e', '%2f', '%', '%00', '%ff', '\\', '?', '#', '*', ':80', '@x', 'http://',
  'localhost',
]; // prettier-ignore

/** A path with steps of a target before and behind it, or steps alone. */
function target(random) {
  const steps = () => Array.from({ length: random.below(4) }, () => random.pick(STEPS)).join('');
  return `${steps()}${random.pick([...PATHS, ''])}${steps()}${random.chance(0.05) ? '/a'.repeat(random.size(40_000)) : ''}`;
}

/** A valid or invalid length. */
const length = (random) =>
  random.pick([
    random.size(200),
    -random.below(9),
    '9'.repeat(random.between(10, 40)),
    '',
    '0x5',
    '1,2',
  ]);

const FIELDS = [
  () => 'Host: localhost',
  (random) => `Content-Length: ${length(random)}`,
  (random) =>
    `Transfer-Encoding: ${random.pick(['chunked', 'gzip, chunked', 'chunked, chunked', 'x', ''])}`,
  (random) => `Expect: ${random.pick(['nope', '100-continue', '100-continue, nope', '"', ''])}`,
  (random) => `Connection: ${random.pick(['close', 'keep-alive', 'Upgrade', 'x'])}`,
  (random) => `Upgrade: ${random.pick(['websocket', 'h2c', 'x'])}`,
  (random) => `Content-Type: application/${random.pick(['json', 'x-www-form-urlencoded', 'x'])}`,
  (random) =>
    `${random.pick(['', ' ', '\t'])}${parameterName(random)}${random.pick([':', ' :', ''])} ${shapedText(random, 2000)}`,
  (random) => Array(random.size(3000)).fill('X-Y: z').join('\r\n'),
];

const chunk = (random) =>
  `${random.pick([random.below(99).toString(16), 'f'.repeat(16), '-1', ''])};${'a=b;'.repeat(random.size(5000))}\r\n${random.text(random.below(99))}\r\n`;

/** A request of random parts; a third of them with corrupted bytes. */
export function oddMessage(random) {
  if (random.chance(0.1)) return random.bytes(random.between(1, 2000));
  if (random.chance(0.1)) return shapedText(random);
  const fields = Array.from({ length: random.between(0, 5) }, () => random.pick(FIELDS)(random));
  const first = `${random.pick(METHODS)} ${target(random)} ${random.pick(VERSIONS)}`;
  const body = random.pick(['', '', 'a=b', LIVE, `${chunk(random)}0\r\n\r\n`]);
  const text = [first, ...fields, '', body].join('\r\n');
  return random.chance(0.3) ? mutated(random, text) : text;
}

/** Random bytes on an accepted WebSocket. */
async function frames(attack) {
  const { random, instance } = attack;
  const lines = [
    'GET /rpc HTTP/1.1',
    `Host: localhost:${instance.control.port}`,
    'Connection: Upgrade',
    'Upgrade: websocket',
    'Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==',
    'Sec-WebSocket-Version: 13',
    `Sec-WebSocket-Protocol: grantbench, token.${instance.control.token}`,
  ];
  const head = Buffer.from(`${lines.join('\r\n')}\r\n\r\n`);
  await sendAndLeave(attack, 'control', Buffer.concat([head, random.bytes(random.size(5000))]));
}

export const malformedHttp = [
  {
    name: 'malformed',
    weight: 24,
    run: async (attack) => {
      const { random } = attack;
      await sendAndLeave(attack, random.pick(PORTS), oddMessage(random));
    },
  },
  { name: 'frames', weight: 2, run: frames },
  {
    name: 'reset',
    weight: 8,
    run: async (attack) => {
      const { random } = attack;
      const whole = `${TOKEN_REQUEST}Content-Length: 32\r\n\r\ngrant_type=refresh_token&x=12345`;
      const socket = await attack.open(random.pick(PORTS));
      await socket.send(whole.slice(0, random.between(1, whole.length)));
      if (random.chance(0.5)) await attack.wait(random.size(200));
      socket.reset();
    },
  },
  {
    name: 'half-open',
    weight: 3,
    run: async (attack) => {
      const { random } = attack;
      const socket = await attack.open(random.pick(PORTS));
      if (random.chance(0.7)) await socket.send(oddMessage(random));
      socket.finish();
      await attack.wait(random.size(10_000));
    },
  },
  {
    name: 'slow-writer',
    weight: 3,
    run: async (attack) => {
      const { random } = attack;
      const socket = await attack.open(random.pick(PORTS));
      const text = `${TOKEN_REQUEST}Content-Length: 400\r\n\r\n${'a=b&'.repeat(100)}`;
      for (let at = 0; at < text.length;) {
        const length = random.between(1, 40);
        await socket.send(text.slice(at, at + length));
        at += length;
        await attack.wait(random.size(300));
        if (random.chance(0.01)) return;
      }
      await Promise.race([socket.over, attack.wait(1000)]);
      await socket.answered();
    },
  },
  {
    name: 'slow-reader',
    weight: 3,
    run: async (attack) => {
      const { random } = attack;
      const socket = await attack.open('oauth');
      socket.pause();
      const path = random.pick(['/', '/.well-known/openid-configuration', '/authorize?x=y']);
      const request = `GET ${path} HTTP/1.1\r\nHost: localhost\r\n\r\n`;
      await socket.send(request.repeat(random.between(1, 100)));
      await attack.wait(random.size(8000));
      if (random.chance(0.3)) return socket.reset();
      socket.resume();
      await attack.wait(500);
      await socket.answered();
    },
  },
  {
    name: 'pipeline',
    weight: 4,
    run: async (attack) => {
      const { random } = attack;
      const count = random.between(2, 40);
      const body = 'grant_type=refresh_token&refresh_token=x';
      const post = `${TOKEN_REQUEST}Content-Length: ${body.length}\r\n\r\n${body}`;
      const requests = Array.from({ length: count }, () => random.pick([LIVE, post]));
      const socket = await attack.open('oauth');
      await socket.send(requests.join(''));
      await Promise.race([socket.over, attack.wait(1000)]);
      const answers = await socket.answered();
      const statuses = answers.map(({ status }) => status);
      const isRight = (status, at) => (requests[at] === LIVE ? [200] : [400, 401]).includes(status);
      if (statuses.every(isRight)) return;
      attack.fail('pipelined requests were answered wrongly', [String(statuses)]);
    },
  },
];
