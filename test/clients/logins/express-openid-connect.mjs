// A login with express-openid-connect, as its documentation has it, with UserInfo and a refresh.

import express from 'express';
import { auth } from 'express-openid-connect';
import { CLIENT, ISSUER } from '../../support/logins/sign-in.mjs';
import { ORIGIN, signInAtExpress } from './app.mjs';

const app = express();
app.use(
  auth({
    issuerBaseURL: ISSUER,
    baseURL: ORIGIN,
    clientID: CLIENT.client_id,
    clientSecret: CLIENT.client_secret,
    clientAuthMethod: 'client_secret_post',
    secret: 's'.repeat(32),
    authRequired: false,
    authorizationParams: { response_type: 'code', scope: 'openid profile email offline_access' },
  }),
);
app.get('/', (_request, response) => {
  response.send('home');
});
app.get('/me', async (request, response) => {
  if (!request.oidc.isAuthenticated()) return response.sendStatus(401);
  const user = await request.oidc.fetchUserInfo();
  await request.oidc.accessToken?.refresh();
  return response.json(user);
});

signInAtExpress(
  app,
  (visit) => visit('/login'),
  async (visit) => (await visit('/me')).status === 200,
);
