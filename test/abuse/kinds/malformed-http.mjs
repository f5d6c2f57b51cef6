// What is no HTTP, or HTTP that no client sends: bytes, framing that lies, hand-overs (CONNECT, upgrade),
// connections that reset, stall or stay half-open, on both ports.

import { shapedText } from './shapes.mjs';

const PORTS = ['oauth', 'oauth', 'control'];

const TOKEN_REQUEST =
  'POST /oauth/token HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/x-www-form-urlencoded\r\n';
const LIVE = 'GET /livez HTTP/1.1\r\nHost: localhost\r\n\r\n';

/** How a client takes its leave, or does not. */
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

/** A byte changed, left out or put in here and there. */
function mutated(random, text) {
  const bytes = [...Buffer.from(text, 'latin1')];
  for (let count = random.between(1, 4); count > 0; count--) {
    bytes.splice(random.below(bytes.length), random.below(2), ...random.bytes(random.below(3)));
  }
  return Buffer.from(bytes);
}

const ODD_MESSAGES = [
  () => 'GET /\r\n\r\n',
  () => 'PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n',
  () => '\x16\x03\x01\x02\x00\x01\x00\x01\xfc\x03\x03',
  () => `${TOKEN_REQUEST}Content-Length: 5\r\nContent-Length: 6\r\n\r\nabcdef`,
  () => `${TOKEN_REQUEST}Content-Length: 4\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n`,
  () => `${TOKEN_REQUEST}Content-Length: -1\r\n\r\n`,
  () => `${TOKEN_REQUEST}Content-Length: 99999999999999999999\r\n\r\nx`,
  () => `${TOKEN_REQUEST}Transfer-Encoding: chunked\r\n\r\nffffffffffffffff\r\nx\r\n`,
  () =>
    `${TOKEN_REQUEST}Transfer-Encoding: chunked\r\n\r\n5;${'a=b;'.repeat(5000)}\r\nabcde\r\n0\r\n\r\n`,
  () => `${TOKEN_REQUEST}Transfer-Encoding: gzip, chunked\r\n\r\n0\r\nX: y\r\n\r\n`,
  () => `GET ${'/a'.repeat(40_000)} HTTP/1.1\r\nHost: x\r\n\r\n`,
  () => `GET / HTTP/1.1\r\nHost: x\r\n${'X-Y: z\r\n'.repeat(3000)}\r\n`,
  () => 'GET / HTTP/1.1\r\nHost : x\r\n folded\r\n\r\n',
  () => 'GET / HTTP/9.9\r\nHost: x\r\n\r\n',
  () => 'GET / HTTP/1.1\r\n\r\n',
  () => 'GET / HTTP/1.1\r\nHost: a\r\nHost: b\r\n\r\n',
  () => `BREW /pot HTTP/1.1\r\nHost: x\r\n\r\n`,
  (random) => random.bytes(random.between(1, 2000)),
  (random) => mutated(random, `${TOKEN_REQUEST}Content-Length: 3\r\n\r\na=b`),
  (random) => mutated(random, LIVE),
  (random) => shapedText(random),
];

const TARGETS = [
  'http://localhost/livez', 'https://user:password@x:99999/oauth/token', 'x:1', '*', '//x/y', '/../../etc/passwd',
  '/%2e%2e/%2e%2e/', '/%', '/%00', '/\\', '?', '/?', '/#', '/oauth/token/', '/oauth//token', '/OAUTH/TOKEN',
  '/api/../docs', '/assets/..%2f..%2fpackage.json', '/api/clients/%ff', '/.well-known/openid-configuration/x',
]; // prettier-ignore

const EXPECTATIONS = ['nope', '100-continue', '100-continue, nope', '"', ''];

async function upgrade(attack) {
  const { random, instance } = attack;
  const good = random.chance(0.3);
  const token = good ? instance.control.token : random.text(random.between(1, 60));
  const host = `localhost:${instance.control.port}`;
  const lines = [
    `GET ${random.pick(['/rpc', '/rpc', '/', '/x'])} HTTP/1.1`,
    `Host: ${random.chance(0.9) ? host : 'evil.example'}`,
    'Connection: Upgrade',
    `Upgrade: ${random.pick(['websocket', 'websocket', 'h2c', 'x'])}`,
    `Sec-WebSocket-Key: ${random.pick(['dGhlIHNhbXBsZSBub25jZQ==', 'x', ''])}`,
    `Sec-WebSocket-Version: ${random.pick(['13', '13', '99'])}`,
    `Sec-WebSocket-Protocol: grantbench, token.${token}`,
  ];
  const frames = random.chance(0.5) ? random.bytes(random.size(5000)) : Buffer.alloc(0);
  const head = Buffer.from(`${lines.join('\r\n')}\r\n\r\n`);
  await sendAndLeave(attack, random.pick(PORTS), Buffer.concat([head, frames]));
}

export const malformedHttp = [
  {
    name: 'malformed',
    weight: 10,
    run: async (attack) => {
      const { random } = attack;
      await sendAndLeave(attack, random.pick(PORTS), random.pick(ODD_MESSAGES)(random));
    },
  },
  {
    name: 'connect',
    weight: 6,
    run: async (attack) => {
      const { random } = attack;
      const target = random.pick(['x:1', 'localhost:1', '/', '*', 'x']);
      const more = random.pick(['', '', 'x', LIVE]);
      const bytes = `CONNECT ${target} HTTP/1.1\r\nHost: x\r\n\r\n${more}`;
      await sendAndLeave(attack, random.pick(PORTS), bytes);
    },
  },
  { name: 'upgrade', weight: 6, run: upgrade },
  {
    name: 'target',
    weight: 3,
    run: async (attack) => {
      const { random } = attack;
      const method = random.pick(['GET', 'POST', 'OPTIONS', 'HEAD', 'TRACE', 'DELETE']);
      const target = random.chance(0.8)
        ? random.pick(TARGETS)
        : `/${'a'.repeat(random.size(2000))}`;
      const bytes = `${method} ${target} HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n`;
      const socket = await attack.open(random.pick(PORTS));
      await socket.send(bytes);
      await Promise.race([socket.over, attack.wait(3000)]);
      await socket.answered();
    },
  },
  {
    name: 'expect',
    weight: 1,
    run: async (attack) => {
      const expectation = `Expect: ${attack.random.pick(EXPECTATIONS)}\r\n`;
      const bytes = `${TOKEN_REQUEST}${expectation}Content-Length: 3\r\n\r\na=b`;
      await sendAndLeave(attack, attack.random.pick(PORTS), bytes);
    },
  },
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
      if (random.chance(0.7)) await socket.send(random.pick([LIVE, TOKEN_REQUEST, 'GET', '\0']));
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
