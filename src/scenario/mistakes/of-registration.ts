// Mistakes of a client that manages its registration (RFC 7592). Each registers a client first, and deletes it.

import { FORM_TYPE } from '../../oauth/fields.ts';
import type { Mistake, Place } from './mistake.ts';

const PATH = '/register/{{registered_id}}';
const AUTHORIZED = { Authorization: 'Bearer {{registration_token}}' };
const NEW_CLIENT = {
  client_name: 'Registered app',
  redirect_uris: ['http://localhost:3000/callback'],
};
const METADATA = { ...NEW_CLIENT, client_id: '{{registered_id}}' };

type Words = Pick<Mistake, 'id' | 'title' | 'sends' | 'expects'>;

const management = (words: Words, change: Mistake['change']): Mistake => ({
  ...words,
  section: 'behaviour 7.29, RFC 7592 2',
  needs: ['registration'],
  ...(change === undefined ? {} : { change }),
});

/** Replaces the registration with these members. */
const replacement = (words: Words, members: Readonly<Record<string, unknown>>): Mistake =>
  management(words, { method: 'PUT', json: { ...METADATA, ...members } });

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
      mistakes: [
        management(
          {
            id: 'no_token',
            title: 'No token',
            sends: 'no registration access token',
            expects: 'registration_token_missing',
          },
          { headers: null },
        ),
        management(
          {
            id: 'wrong_token',
            title: 'Wrong token',
            sends: 'a token that was never issued',
            expects: 'registration_token_wrong',
          },
          { headers: { Authorization: 'Bearer a-token-never-issued' } },
        ),
        management(
          {
            id: 'other_client',
            title: 'Another client',
            sends: 'the token to the registration of another client',
            expects: 'registration_token_wrong',
          },
          { path: '/register/{{client.client_id}}' },
        ),
        {
          ...management(
            {
              id: 'deleted',
              title: 'Deleted registration',
              sends: 'the token of a registration that was deleted just before',
              expects: 'registration_token_wrong',
            },
            undefined,
          ),
          before: [{ request: { method: 'DELETE', path: PATH, headers: AUTHORIZED } }],
        },
      ],
    },
    {
      name: 'Metadata',
      mistakes: [
        replacement(
          {
            id: 'other_client_id',
            title: 'Another client_id',
            sends: 'the client_id of another client',
            expects: 'metadata_invalid',
          },
          { client_id: '{{client.client_id}}' },
        ),
        replacement(
          {
            id: 'other_secret',
            title: 'A new secret',
            sends: 'a client_secret of the client’s own choice',
            expects: 'metadata_invalid',
          },
          { client_secret: 'a-secret-of-my-own' },
        ),
        replacement(
          {
            id: 'returned_members',
            title: 'The response sent back',
            sends: 'registration_access_token, which only the response has',
            expects: 'metadata_invalid',
          },
          { registration_access_token: '{{registration_token}}' },
        ),
        replacement(
          {
            id: 'redirect_fragment',
            title: 'Redirect URI with a fragment',
            sends: 'a redirect URI that ends with #top',
            expects: 'metadata_redirect_uri',
          },
          { redirect_uris: ['http://localhost:3000/callback#top'] },
        ),
        management(
          {
            id: 'form',
            title: 'Form instead of JSON',
            sends: 'the metadata as a form',
            expects: 'registration_content_type',
          },
          {
            method: 'PUT',
            headers: { 'Content-Type': FORM_TYPE },
            form: { client_id: '{{registered_id}}' },
          },
        ),
        management(
          {
            id: 'post',
            title: 'POST instead of PUT',
            sends: 'the metadata with POST',
            expects: 'method_not_allowed',
          },
          { method: 'POST', json: METADATA },
        ),
      ],
    },
  ],
  after: { request: { method: 'DELETE', path: PATH, headers: AUTHORIZED } },
};
