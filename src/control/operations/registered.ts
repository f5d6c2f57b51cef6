// Registered records: clients, users, audiences, protected APIs.

import * as s from '../schemas.ts';
import { FULL, records } from './op.ts';

export const clients = records<s.Client, 'client_id', never>(
  '/clients',
  { one: 'a client', many: 'clients' },
  'client_id',
  s.clientSchema,
  {
    list: 'Returns all registered clients, newest first, with their secrets.',
    get: 'Returns one client, with its secret.',
    create:
      'Omitted members get their defaults. `client_id` and, if needed, `client_secret` are generated.',
    create_example: {
      client_name: 'Checkout',
      redirect_uris: ['http://localhost:5000/callback'],
    },
    create_conflict: `A client with this client_id already exists. ${FULL}`,
    update:
      'Applies a merge patch (RFC 7396): given members replace the current ones, and null resets a member to its default.',
    update_example: { access_token_expires_in: 300, profile: 'interop' },
    remove:
      'Deletes the client and revokes all codes and tokens issued to it. A new client with the same client_id inherits nothing.',
  },
);

export const users = records<s.User, 'sub', 'sub', s.UserMembers>(
  '/users',
  { one: 'a user', many: 'users' },
  'sub',
  s.answeredUserSchema,
  {
    list: 'Returns all users who can sign in at /authorize, newest first, without their passwords.',
    get: 'Returns one user, without the password.',
    create:
      'Adds a user who can sign in at /authorize. The password is never returned; only the workspace document contains it.',
    create_example: { sub: 'grace', name: 'Grace Example', email: 'grace@example.test' },
    create_conflict: `A user with this sub already exists. ${FULL}`,
    update: 'Applies a merge patch (RFC 7396); null resets a member to its default.',
    update_example: { claims: { role: 'admin' } },
    remove:
      'Deletes the user, who can no longer sign in. Issued tokens remain valid, but userinfo rejects them.',
  },
);

export const audiences = records<s.Audience, 'uri', 'uri'>(
  '/audiences',
  { one: 'an audience', many: 'audiences' },
  'uri',
  s.audienceSchema,
  {
    list: 'Returns all registered APIs, newest first. The issuer is always an audience and is not listed.',
    get: 'Returns one audience. Percent-encode its URI in the path.',
    create: 'Registers an API for which access tokens can be issued.',
    create_example: { uri: 'https://orders.example/api', name: 'Orders', scopes: ['orders:read'] },
    create_conflict: `An audience with this uri already exists. ${FULL}`,
    update: 'Applies a merge patch (RFC 7396); `uri` is the key and cannot be changed later.',
    update_example: { scopes: ['orders:read', 'orders:write'] },
    remove: 'Deletes the audience. Tokens for it can no longer be requested.',
    remove_conflict: 'The audience is the default audience of a client.',
  },
);

export const apis = records<s.Api, 'name', 'name', s.Api>(
  '/apis',
  { one: 'an API', many: 'APIs' },
  'name',
  s.apiSchema,
  {
    list: 'Returns all protected APIs that the sandbox serves below /api, newest first.',
    get: 'Returns one API, with its rules.',
    create:
      'Adds a protected API. Its audience becomes one for which access tokens can be requested, with the scopes of its rules.',
    create_example: {
      name: 'orders',
      rules: [
        { methods: ['GET'], scopes: ['orders:read'] },
        { methods: ['POST'], scopes: ['orders:write'], max_age: 300 },
      ],
    },
    create_conflict: `An API with this name or this path already exists. ${FULL}`,
    update: 'Applies a merge patch (RFC 7396); rules are replaced as a whole.',
    update_example: { audience: 'https://orders.example/api' },
    remove:
      'Deletes the API. Requests to it are then 404, and its tokens can no longer be requested.',
    remove_conflict: 'Its audience is the default audience of a client.',
  },
);
