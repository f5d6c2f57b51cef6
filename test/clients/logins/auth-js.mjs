// A login with Auth.js for Express, as its documentation has it, with all of its checks.

import { ExpressAuth } from '@auth/express';
import express from 'express';
import { CLIENT, ISSUER } from '../../support/logins/sign-in.mjs';
import { signInAtExpress } from './app.mjs';

const app = express();
app.use(
  '/auth',
  ExpressAuth({
    secret: 's'.repeat(32),
    trustHost: true,
    providers: [
      {
        id: 'grantbench',
        name: 'Grantbench',
        type: 'oidc',
        issuer: ISSUER,
        clientId: CLIENT.client_id,
        clientSecret: CLIENT.client_secret,
        client: { token_endpoint_auth_method: 'client_secret_post' },
        checks: ['pkce', 'state', 'nonce'],
      },
    ],
  }),
);
app.get('/', (_request, response) => {
  response.send('home');
});

signInAtExpress(
  app,
  async (visit) => {
    const { csrfToken } = JSON.parse((await visit('/auth/csrf')).text);
    return visit('/auth/signin/grantbench', new URLSearchParams({ csrfToken }));
  },
  async (visit) => (await visit('/auth/session')).text !== 'null',
);
