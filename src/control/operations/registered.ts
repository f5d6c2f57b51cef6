// What is registered: clients, users, audiences.

import * as s from '../schemas.ts';
import { FULL } from './op.ts';
import { records } from './records.ts';

export const clients = records<s.Client, 'client_id', never>(
  '/clients',
  'a client',
  'client_id',
  s.clientSchema,
  {
    list: 'All registered clients, newest first, with their secrets.',
    get: 'One client with its secret.',
    create:
      'Members left out take their defaults; `client_id` and, where one is needed, `client_secret` are generated.',
    create_example: {
      client_name: 'Checkout',
      redirect_uris: ['http://localhost:5000/callback'],
    },
    create_conflict: `There is a client with this client_id already. ${FULL}`,
    update:
      'A merge patch (RFC 7396): members given replace those there are, null puts one back to its default.',
    update_example: { access_token_expires_in: 300, profile: 'interop' },
    remove: 'Its codes and tokens stay, but nobody can authenticate to redeem them.',
  },
);

export const users = records<s.User, 'sub', 'sub'>('/users', 'a user', 'sub', s.userSchema, {
  list: 'All people who can sign in at /authorize, newest first.',
  get: 'One user.',
  create: 'Adds a person who can sign in at /authorize.',
  create_example: { sub: 'grace', name: 'Grace Example', email: 'grace@example.test' },
  create_conflict: `There is a user with this sub already. ${FULL}`,
  update: 'A merge patch (RFC 7396); null puts a member back to its default.',
  update_example: { claims: { role: 'admin' } },
  remove: 'The user can no longer sign in; tokens already issued stay.',
});

export const audiences = records<s.Audience, 'uri', 'uri'>(
  '/audiences',
  'an audience',
  'uri',
  s.audienceSchema,
  {
    list: 'All registered APIs, newest first. The issuer is one without being listed.',
    get: 'One audience. Percent-encode its URI in the path.',
    create: 'Registers an API that access tokens can be issued for.',
    create_example: { uri: 'https://orders.example/api', name: 'Orders', scopes: ['orders:read'] },
    create_conflict: `There is an audience with this uri already. ${FULL}`,
    update: 'A merge patch (RFC 7396); `uri` is the key and cannot be changed.',
    update_example: { scopes: ['orders:read', 'orders:write'] },
    remove: 'Tokens for it can no longer be requested.',
    remove_conflict: 'It is the default audience of a client.',
  },
);
