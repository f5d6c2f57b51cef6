// Sign-ins beside the app: devices that wait for a user (opened, listed, approved, denied, expired), and callbacks, each
// opened for one sign-in in a browser, read, closed.

import { z } from '../../core/records/zod.ts';
import * as s from '../schemas.ts';
import { idKey, op } from './op.ts';

const DECIDED = 'The device authorization is no longer pending.';

export const devices = {
  list: op
    .route({
      method: 'GET',
      path: '/devices',
      summary: 'List device authorizations, newest first',
      description:
        'Returns device authorizations with their states, and their device codes with `secrets`.',
    })
    .input(z.extend(s.deviceFilterSchema, s.secretsSchema.shape))
    .output(s.listOf(s.deviceSchema)),
  create: op
    .route({
      method: 'POST',
      path: '/devices',
      successStatus: 201,
      summary: 'Open a device authorization',
      description:
        'Opens a device authorization as POST /oauth/device_authorization does, and returns both of its codes.',
    })
    .meta({
      example: { client_id: 'demo-app', scope: 'openid' },
      conflict: 'The client may not use the device authorization grant.',
    })
    .input(s.openDeviceSchema)
    .output(s.deviceSchema),
  get: op
    .route({
      method: 'GET',
      path: '/devices/{id}',
      summary: 'Read a device authorization',
      description: 'Returns one device authorization, and its device code with `secrets`.',
    })
    .input(z.extend(idKey, s.secretsSchema.shape))
    .output(s.deviceSchema),
  approve: op
    .route({
      method: 'POST',
      path: '/devices/{id}/approve',
      summary: 'Approve a device as a user',
      description:
        'Approves the device as if the user had done so at /device. The device gets its tokens with the next poll.',
    })
    .meta({ example: { sub: 'ada' }, conflict: DECIDED })
    .input(z.extend(idKey, s.deviceApprovalMembers))
    .output(s.deviceSchema),
  deny: op
    .route({
      method: 'POST',
      path: '/devices/{id}/deny',
      summary: 'Deny a device',
      description:
        'Denies the device as if the user had done so at /device. Its next poll is answered with access_denied.',
    })
    .meta({ conflict: DECIDED })
    .input(idKey)
    .output(s.deviceSchema),
  expire: op
    .route({
      method: 'POST',
      path: '/devices/{id}/expire',
      summary: 'Expire a device now',
      description:
        'Expires both codes of the device. Its next poll is answered with expired_token.',
    })
    .meta({ conflict: 'The device authorization is neither pending nor approved.' })
    .input(idKey)
    .output(s.deviceSchema),
};

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
