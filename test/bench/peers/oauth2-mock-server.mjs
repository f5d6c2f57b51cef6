// oauth2-mock-server as its users run it. It keeps no refresh tokens and accepts any; for a refresh
// it signs an id_token beside the access token, which no option turns off. It is made for Node 22.12 and
// later.

import { randomUUID } from 'node:crypto';
import { OAuth2Server } from 'oauth2-mock-server';
import { announce, orders } from '../servers/child.mjs';

const server = new OAuth2Server();
if (orders.jwk) await server.issuer.keys.add(orders.jwk);
else await server.issuer.keys.generate(orders.alg);
await server.start(0, '127.0.0.1');
const refreshTokens = Array.from({ length: orders.tokens }, () => randomUUID());
announce(`http://localhost:${server.address().port}/token`, refreshTokens);
