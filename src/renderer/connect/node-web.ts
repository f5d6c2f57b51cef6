// Settings of middleware for Express, which signs users in and keeps their sessions.

import { js } from '../snippets/literals.ts';
import type { Snippet, SnippetInput } from './snippet.ts';
import { needsSecret, originOf, pathOf } from './snippet.ts';

const expressOpenidConnect = (input: SnippetInput) => `import { auth } from 'express-openid-connect'

app.use(
  auth({
    issuerBaseURL: ${js(input.issuer)},
    baseURL: ${js(originOf(input.redirect_uri))},
    clientID: ${js(input.client_id)},
    clientSecret: ${js(input.client_secret ?? '')},
    clientAuthMethod: 'client_secret_post',
    secret: process.env.SESSION_SECRET, // at least 32 random characters
    routes: { callback: ${js(pathOf(input.redirect_uri))} },
    authorizationParams: { response_type: 'code', scope: 'openid profile email' },
    idpLogout: true,
  }),
)`;

const passport = (input: SnippetInput) => `import passport from 'passport'
import OpenIDConnectStrategy from 'passport-openidconnect'

passport.use(
  new OpenIDConnectStrategy(
    {
      issuer: ${js(input.issuer)},
      authorizationURL: ${js(input.endpoints.authorization)},
      tokenURL: ${js(input.endpoints.token)},
      userInfoURL: ${js(input.endpoints.userinfo)},
      clientID: ${js(input.client_id)},
      clientSecret: ${js(input.client_secret ?? '')},
      callbackURL: ${js(input.redirect_uri)},
      scope: ['profile', 'email'],
    },
    (issuer, profile, done) => done(null, profile),
  ),
)`;

/** Where Auth.js expects the answer, whatever the client has registered. */
const authJsRedirectUri = ({ redirect_uri }: SnippetInput): string =>
  `${originOf(redirect_uri)}/auth/callback/grantbench`;

const authJs = (input: SnippetInput) => `import { ExpressAuth } from '@auth/express'

// redirect URI of the client: ${authJsRedirectUri(input)}
app.use(
  '/auth',
  ExpressAuth({
    secret: process.env.AUTH_SECRET, // at least 32 random characters
    trustHost: true,
    providers: [
      {
        id: 'grantbench',
        name: 'Grantbench',
        type: 'oidc',
        issuer: ${js(input.issuer)},
        clientId: ${js(input.client_id)},
        clientSecret: ${js(input.client_secret ?? '')},
        client: { token_endpoint_auth_method: 'client_secret_post' },
      },
    ],
  }),
)`;

export const NODE_WEB: readonly Snippet[] = [
  {
    id: 'express-openid-connect',
    name: 'express-openid-connect',
    group: 'Node',
    about: 'Version 3, for Express: sign-in at /login, sign-out at /logout.',
    interop: true,
    unfit: needsSecret('express-openid-connect'),
    text: expressOpenidConnect,
  },
  {
    id: 'passport-openidconnect',
    name: 'passport-openidconnect',
    group: 'Node',
    about: 'Version 0.1, for Express with sessions.',
    interop: true,
    unfit: needsSecret('passport-openidconnect'),
    text: passport,
  },
  {
    id: 'auth-js',
    name: 'Auth.js',
    group: 'Node',
    about: 'Version 5, here for Express. Next.js and others take the same provider.',
    interop: true,
    redirects_to: authJsRedirectUri,
    unfit: needsSecret('Auth.js'),
    text: authJs,
  },
];
