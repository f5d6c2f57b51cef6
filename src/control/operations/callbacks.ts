// Callbacks: opened for one sign-in in a browser, read, closed.

import { z } from '../../core/records/zod.ts';
import * as s from '../schemas.ts';
import { idKey, op } from './op.ts';

export const callbacks = {
  create: op
    .route({
      method: 'POST',
      path: '/callbacks',
      successStatus: 201,
      summary: 'Open a callback for one sign-in',
      description:
        'Listens on the loopback of this machine for one redirect with the given state, for at most 5 minutes of machine time. No redirect URI is registered by this.',
    })
    .meta({
      example: { redirect_uri: 'http://127.0.0.1/callback' },
      conflict: 'The port of the redirect URI is in use.',
    })
    .input(s.openCallbackSchema)
    .output(s.callbackSchema),
  get: op
    .route({
      method: 'GET',
      path: '/callbacks/{id}',
      summary: 'Read a callback, or wait for its redirect',
      description: 'Returns the callback, with the URL of the redirect once that was received.',
    })
    .input(z.extend(idKey, s.callbackWaitSchema.shape))
    .output(s.callbackSchema),
  remove: op
    .route({
      method: 'DELETE',
      path: '/callbacks/{id}',
      successStatus: 204,
      summary: 'Close a callback',
      description: 'Stops listening for the redirect and forgets the callback.',
    })
    .input(idKey),
};
