// The clock, the keys, the server, reset and logout.

import { z } from '../../core/records/zod.ts';
import * as s from '../schemas.ts';
import { FULL, op } from './op.ts';
import { string } from '../schemas/values.ts';

export const clock = {
  get: op(
    'GET /clock',
    'Read the sandbox clock',
    'Returns the sandbox clock, which codes, tokens and throttle windows use.',
  ).output(s.clockSchema),
  update: op(
    'PATCH /clock',
    'Freeze, advance, set or reset the clock',
    'Advances, freezes, resumes, sets or resets the clock. The body must have exactly one member.',
  )
    .meta({ example: { advance_seconds: 86_400 } })
    .input(s.clockPatchSchema)
    .output(s.clockSchema),
};

export const keys = {
  list: op(
    'GET /keys',
    'List signing keys, newest first',
    'Returns signing keys without private parts, newest first.',
  ).output(s.listOf(s.keySchema)),
  create: op(
    'POST /keys',
    'Create or import a key that signs new tokens',
    'Adds a key that signs new tokens. Earlier keys remain published until they are retired.',
    201,
  )
    .meta({ example: { alg: 'ES256' }, conflict: FULL })
    .input(s.newKeySchema)
    .output(s.keySchema),
  retire: op(
    'POST /keys/{kid}/retire',
    'Retire a key: stop publishing it and accepting its tokens',
    'Removes the key from the JWK Set. Tokens signed with the key become inactive.',
  )
    .input(z.object({ kid: string('Identifier of the key.') }))
    .output(s.retiredKeySchema),
  fetch: op(
    'POST /keys/fetch',
    'Fetch the JWK Set of another server on this machine',
    'Requests the JWK Set at a loopback URL and returns its public keys. The keys are not stored, and the sandbox accepts no tokens signed with them.',
  )
    .meta({
      example: { url: 'http://localhost:9000/jwks' },
      conflict: 'The URL did not return a JWK Set.',
    })
    .input(s.keySetLocationSchema)
    .output(s.foreignKeysSchema),
};

export const server = {
  get: op(
    'GET /server',
    'Read the state of the server',
    'Returns the addresses of the authorization server and its workspace.',
  ).output(s.serverSchema),
  start: op(
    'POST /server/start',
    'Start the authorization server',
    'Starts the authorization server, or moves it to another address. Omitted members keep their values. If the port is taken, the host is not of this machine or there is no certificate, the server keeps its address.',
  )
    .meta({
      example: { port: 4280 },
      conflict: 'The port is in use or cannot be bound.',
    })
    .input(s.listenSchema)
    .output(s.serverSchema),
  stop: op(
    'POST /server/stop',
    'Stop the authorization server',
    'Stops the authorization server. The control API remains available.',
  ).output(s.serverSchema),
};

export const reset = op(
  'POST /reset',
  'Clear credentials, exchanges and counters',
  'Deletes codes, tokens, devices, sign-ins, exchanges, advisories and revocations, and resets all counters and the clock.',
)
  .meta({
    example: { workspace: true },
    example_answer: { reset_at: '2026-03-02T10:00:00.000Z' },
    conflict: 'The workspace file cannot be read. Nothing was reset.',
  })
  .input(s.resetSchema)
  .output(z.object({ reset_at: string('When the reset happened.') }));

export const logout = op(
  'POST /logout',
  'Sign a user out, and send logout tokens to the apps',
  'Ends the sessions of the user, and sends a logout token to the backchannel_logout_uri of each client (OpenID Connect Back-Channel Logout 1.0). Waits for the responses.',
)
  .meta({
    example: { sub: 'ada' },
    example_answer: {
      deliveries: [
        { client_id: 'demo-app', exchange: 42, status: 200, accepted: true, problem: null },
      ],
    },
    conflict: 'A logout token cannot be signed, or there are too many clients.',
  })
  .input(s.logoutSchema)
  .output(s.loggedOutSchema);
