// Input below the level of requests: malformed and endless HTTP, truncated bodies, TLS on an HTTP port and HTTP on a
// TLS port.

import type { BytesStep, Session } from '../document.ts';
import { get, ISSUER, session, tokenJson, workspace } from './steps.ts';

const lines = (...parts: readonly string[]) => `${parts.join('\r\n')}\r\n\r\n`;

const bytes = (name: string, text: string, more: Partial<BytesStep> = {}): BytesStep => ({
  name,
  bytes: text,
  ...more,
});

/** The opening of a TLS connection. */
const CLIENT_HELLO = Buffer.from([0x16, 0x03, 0x01, 0x00, 0x05, 0x01, 0x00, 0x00, 0x01, 0x03]);

const post = (...headers: readonly string[]) =>
  lines('POST /oauth/token HTTP/1.1', 'Host: localhost', 'Connection: close', ...headers);

const FORM = 'Content-Type: application/x-www-form-urlencoded';

const plain: readonly (BytesStep | ReturnType<typeof get>)[] = [
  bytes('no HTTP', 'hello\r\n\r\n'),
  bytes('a bad header', lines('GET /livez HTTP/1.1', 'Host localhost')),
  bytes('no Host', lines('GET /livez HTTP/1.1', 'Connection: close')),
  bytes('HTTP/1.0', lines('GET /livez HTTP/1.0')),
  bytes('a CONNECT', lines('CONNECT example.test:443 HTTP/1.1', 'Host: localhost')),
  bytes('headers that are too large', lines('GET /livez HTTP/1.1', 'X: ${fill:70000}')),
  bytes('TLS', CLIENT_HELLO.toString('base64'), { encoding: 'base64' }),
  bytes('a body that breaks off', `${post(FORM, 'Content-Length: 100')}grant_type=x`, {
    hang_up: true,
  }),
  bytes('two lengths', `${post(FORM, 'Content-Length: 3', 'Content-Length: 4')}a=b`),
  bytes('a bad chunk', `${post(FORM, 'Transfer-Encoding: chunked')}zz\r\n`),
  bytes('a body in chunks', `${post(FORM, 'Transfer-Encoding: chunked')}3\r\na=b\r\n0\r\n\r\n`),
  bytes('an endless body', post(FORM, 'Content-Length: 70000').concat('${fill:70000}')),
  tokenJson('a body that is too large', { grant_type: '${fill:70000}' }),
  bytes(
    'an expectation nobody knows',
    lines('GET /livez HTTP/1.1', 'Host: localhost', 'Connection: close', 'Expect: tea'),
  ),
  bytes(
    'an upgrade',
    lines('GET /livez HTTP/1.1', 'Host: localhost', 'Connection: Upgrade, close', 'Upgrade: h2c'),
  ),
  get('afterwards', '/livez'),
];

export function wireSessions(): [string, Session][] {
  const sandbox = { workspace: workspace(), keys: ['ES256'] };
  return [
    ['wire', session('Bytes over a connection', {}, plain, { ...sandbox, issuer: ISSUER })],
    [
      'https',
      session(
        'HTTPS',
        {},
        [
          get('over TLS', '/.well-known/oauth-authorization-server'),
          get('the page and its cookies', '/authorize?response_type=code&client_id=demo-app'),
          bytes('plain HTTP', lines('GET /livez HTTP/1.1', 'Host: localhost', 'Connection: close')),
          bytes('no HTTP at all', 'hello\r\n\r\n'),
        ],
        { ...sandbox, https: true },
      ),
    ],
  ];
}
