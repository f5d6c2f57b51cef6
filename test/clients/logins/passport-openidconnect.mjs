// A login with passport-openidconnect, as its documentation has it. It asks for UserInfo itself.

import express from 'express';
import session from 'express-session';
import passport from 'passport';
import OpenIDConnectStrategy from 'passport-openidconnect';
import { CLIENT, ISSUER } from '../../support/logins/sign-in.mjs';
import { ORIGIN, signInAtExpress } from './app.mjs';

const app = express();
app.use(session({ secret: 'test', resave: false, saveUninitialized: false }));
passport.use(
  new OpenIDConnectStrategy(
    {
      issuer: ISSUER,
      authorizationURL: `${ISSUER}/authorize`,
      tokenURL: `${ISSUER}/oauth/token`,
      userInfoURL: `${ISSUER}/userinfo`,
      clientID: CLIENT.client_id,
      clientSecret: CLIENT.client_secret,
      callbackURL: `${ORIGIN}/callback`,
      scope: ['profile', 'email'],
      nonce: true,
      skipUserProfile: false,
    },
    (_issuer, profile, done) => done(null, profile),
  ),
);
passport.serializeUser((user, done) => done(null, user));
passport.deserializeUser((user, done) => done(null, user));
app.use(passport.session());
app.get('/login', passport.authenticate('openidconnect'));
app.get('/callback', passport.authenticate('openidconnect', { successRedirect: '/' }));
app.get('/', (_request, response) => {
  response.send('home');
});
app.get('/me', (request, response) => response.sendStatus(request.user ? 200 : 401));

signInAtExpress(
  app,
  (visit) => visit('/login'),
  async (visit) => (await visit('/me')).status === 200,
);
