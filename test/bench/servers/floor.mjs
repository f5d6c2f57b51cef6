// The HTTP part of the floors. A floor is the least a JavaScript server can do to answer a refresh grant with a
// signed token: it parses the form and signs; it checks, stores and records nothing.

import { randomBytes, randomUUID } from 'node:crypto';
import { createServer } from 'node:http';
import { announce, orders } from './child.mjs';

const LIFETIME = 86_400;

function claimsFor(issuer, clientId) {
  const now = Math.floor(Date.now() / 1000);
  return {
    iss: issuer,
    sub: 'ada',
    aud: issuer,
    client_id: clientId,
    iat: now,
    exp: now + LIFETIME,
    jti: randomUUID(),
  };
}

/** `sign` creates a JWT from the claims. */
export function serveFloor(sign) {
  let issuer;

  const server = createServer((request, response) => {
    const chunks = [];
    request.on('data', (chunk) => chunks.push(chunk));
    request.on('end', async () => {
      const form = new URLSearchParams(Buffer.concat(chunks).toString());
      const body = JSON.stringify({
        access_token: await sign(claimsFor(issuer, form.get('client_id'))),
        token_type: 'Bearer',
        expires_in: LIFETIME,
      });
      response.writeHead(200, {
        'content-type': 'application/json',
        'content-length': Buffer.byteLength(body),
        'cache-control': 'no-store',
        pragma: 'no-cache',
      });
      response.end(body);
    });
  });

  server.listen(0, '127.0.0.1', () => {
    issuer = `http://localhost:${server.address().port}`;
    const refreshTokens = Array.from({ length: orders.tokens }, () =>
      randomBytes(32).toString('base64url'),
    );
    announce(`${issuer}/oauth/token`, refreshTokens);
  });
}
