// Mistakes of a client that manages its registration (RFC 7592). Each registers a client first, and deletes it.

import { FORM_TYPE } from '../../oauth/fields.ts';
import type { Members } from '../actions/action.ts';
import type { Mistake, Place } from './mistake.ts';

const PATH = '/register/{{registered_id}}';
const AUTHORIZED = { Authorization: 'Bearer {{registration_token}}' };
const NEW_CLIENT = {
  client_name: 'Registered app',
  redirect_uris: ['http://localhost:3000/callback'],
};
const METADATA = { ...NEW_CLIENT, client_id: '{{registered_id}}' };

const management = (mistakes: readonly Omit<Mistake, 'section'>[]): readonly Mistake[] =>
  mistakes.map((mistake) => ({
    ...mistake,
    section: 'behaviour 7.29, RFC 7592 2',
    needs: ['registration'],
  }));

/** Replaces the registration with these members. */
const replacement = (members: Members): Members => ({
  method: 'PUT',
  json: { ...METADATA, ...members },
});

export const REGISTRATION: Place = {
  id: 'registration',
  title: 'Manage the registration',
  grants: [],
  prepare: [
    {
      request: { path: '/register', json: NEW_CLIENT },
      save: {
        registered_id: 'body.client_id',
        registration_token: 'body.registration_access_token',
      },
    },
  ],
  step: { request: { path: PATH, headers: AUTHORIZED } },
  groups: [
    {
      name: 'Token',
      mistakes: management([
        {
          id: 'no_token',
          title: 'No token',
          sends: 'no registration access token',
          change: { headers: null },
          expects: 'registration_token_missing',
        },
        {
          id: 'wrong_token',
          title: 'Wrong token',
          sends: 'a token that was never issued',
          change: { headers: { Authorization: 'Bearer a-token-never-issued' } },
          expects: 'registration_token_wrong',
        },
        {
          id: 'other_client',
          title: 'Another client',
          sends: 'the token to the registration of another client',
          change: { path: '/register/{{client.client_id}}' },
          expects: 'registration_token_wrong',
        },
        {
          id: 'deleted',
          title: 'Deleted registration',
          sends: 'the token of a registration that was deleted just before',
          before: [{ request: { method: 'DELETE', path: PATH, headers: AUTHORIZED } }],
          expects: 'registration_token_wrong',
        },
      ]),
    },
    {
      name: 'Metadata',
      mistakes: management([
        {
          id: 'other_client_id',
          title: 'Another client_id',
          sends: 'the client_id of another client',
          change: replacement({ client_id: '{{client.client_id}}' }),
          expects: 'metadata_invalid',
        },
        {
          id: 'other_secret',
          title: 'A new secret',
          sends: 'a client_secret of the client’s own choice',
          change: replacement({ client_secret: 'a-secret-of-my-own' }),
          expects: 'metadata_invalid',
        },
        {
          id: 'returned_members',
          title: 'The response sent back',
          sends: 'registration_access_token, which only the response has',
          change: replacement({ registration_access_token: '{{registration_token}}' }),
          expects: 'metadata_invalid',
        },
        {
          id: 'redirect_fragment',
          title: 'Redirect URI with a fragment',
          sends: 'a redirect URI that ends with #top',
          change: replacement({ redirect_uris: ['http://localhost:3000/callback#top'] }),
          expects: 'metadata_redirect_uri',
        },
        {
          id: 'form',
          title: 'Form instead of JSON',
          sends: 'the metadata as a form',
          change: {
            method: 'PUT',
            headers: { 'Content-Type': FORM_TYPE },
            form: { client_id: '{{registered_id}}' },
          },
          expects: 'registration_content_type',
        },
        {
          id: 'post',
          title: 'POST instead of PUT',
          sends: 'the metadata with POST',
          change: { method: 'POST', json: METADATA },
          expects: 'method_not_allowed',
        },
      ]),
    },
  ],
  after: { request: { method: 'DELETE', path: PATH, headers: AUTHORIZED } },
};
