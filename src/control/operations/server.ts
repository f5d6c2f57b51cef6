// The clock, the keys, the server, the counters of its throttle, and starting over.

import { described, z } from '../../core/records/zod.ts';
import * as s from '../schemas.ts';
import { FULL, idKey, op } from './op.ts';

export const clock = {
  get: op
    .route({
      method: 'GET',
      path: '/clock',
      summary: 'Read the sandbox clock',
      description: 'Returns the clock that codes, tokens and throttle windows use.',
    })
    .output(s.clockSchema),
  update: op
    .route({
      method: 'PATCH',
      path: '/clock',
      summary: 'Freeze, advance, set or reset the clock',
      description:
        'Changes the clock by exactly one member: advance, freeze or resume, set, or reset it.',
    })
    .meta({ example: { advance_seconds: 86_400 } })
    .input(s.clockPatchSchema)
    .output(s.clockSchema),
};

export const keys = {
  list: op
    .route({
      method: 'GET',
      path: '/keys',
      summary: 'List signing keys, newest first',
      description: 'Returns signing keys, newest first, without their private parts.',
    })
    .output(s.listOf(s.keySchema)),
  create: op
    .route({
      method: 'POST',
      path: '/keys',
      successStatus: 201,
      summary: 'Create or import a key that signs from now on',
      description:
        'Adds a key that signs new tokens. Former keys stay published until they are retired.',
    })
    .meta({ example: { alg: 'ES256' }, conflict: FULL })
    .input(s.newKeySchema)
    .output(s.keySchema),
  retire: op
    .route({
      method: 'POST',
      path: '/keys/{kid}/retire',
      summary: 'Retire a key: stop publishing it and accepting its tokens',
      description: 'Removes the key from the JWK Set. Tokens signed with it become inactive.',
    })
    .input(z.object({ kid: described(z.string(), 'Identifier of the key.') }))
    .output(s.retiredKeySchema),
  fetch: op
    .route({
      method: 'POST',
      path: '/keys/fetch',
      summary: 'Fetch the JWK Set of another server on this machine',
      description:
        'Requests the JWK Set at a URL with a loopback address and returns its public keys. Nothing of it is kept, and no token is accepted because of it.',
    })
    .meta({
      example: { url: 'http://localhost:9000/jwks' },
      conflict: 'No JWK Set can be read at the URL.',
    })
    .input(s.keySetLocationSchema)
    .output(s.foreignKeysSchema),
};

export const server = {
  get: op
    .route({
      method: 'GET',
      path: '/server',
      summary: 'Read the state of the server',
      description: 'Returns where the token service listens, and its workspace.',
    })
    .output(s.serverSchema),
  start: op
    .route({
      method: 'POST',
      path: '/server/start',
      summary: 'Start the token service',
      description:
        'Starts the token service, or moves it: what is left out stays as it is. If the port is taken, the host is not of this machine or there is no certificate, it goes on where it was.',
    })
    .meta({
      example: { port: 4280 },
      conflict: 'The port is in use or cannot be bound.',
    })
    .input(s.listenSchema)
    .output(s.serverSchema),
  stop: op
    .route({
      method: 'POST',
      path: '/server/stop',
      summary: 'Stop the token service',
      description: 'Stops the token service. The control API stays available.',
    })
    .output(s.serverSchema),
};

export const reset = op
  .route({
    method: 'POST',
    path: '/reset',
    summary: 'Clear credentials, exchanges and counters',
    description:
      'Deletes codes, tokens, devices, sign-ins, exchanges, advisories, counters, hit counts, counts per second and revocations, and resets the clock.',
  })
  .meta({
    example: { workspace: true },
    example_answer: { reset_at: '2026-03-02T10:00:00.000Z' },
    conflict: 'The workspace file cannot be read; nothing was reset.',
  })
  .input(s.resetSchema)
  .output(z.object({ reset_at: described(z.string(), 'When the reset happened.') }));

export const throttle = {
  list: op
    .route({
      method: 'GET',
      path: '/throttle',
      summary: 'List throttle counters',
      description:
        'Returns each counter with its client, address, count, and the time its window resets.',
    })
    .input(s.pageSchema)
    .output(s.listOf(s.counterSchema)),
  get: op
    .route({
      method: 'GET',
      path: '/throttle/{id}',
      summary: 'Read a counter with its newest throttled requests',
      description: 'Returns one counter with the newest requests it rejected.',
    })
    .input(idKey)
    .output(s.counterDetailSchema),
  releaseAll: op.route({
    method: 'DELETE',
    path: '/throttle',
    successStatus: 204,
    summary: 'Release all counters',
    description: 'Clears all counters. Each window starts again with the next request.',
  }),
  release: op
    .route({
      method: 'DELETE',
      path: '/throttle/{id}',
      successStatus: 204,
      summary: 'Release one counter',
      description: 'Clears the counter. Its window starts again with the next request.',
    })
    .input(idKey),
};
