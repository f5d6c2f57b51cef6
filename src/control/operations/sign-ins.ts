// Sign-ins without the app: devices that are waiting for a user, and callbacks, each of which is opened for one
// browser sign-in.

import { z } from '../../core/records/zod.ts';
import * as s from '../schemas.ts';
import { idKey, op } from './op.ts';

const DECIDED = 'The device authorization is no longer pending.';

export const devices = {
  list: op(
    'GET /devices',
    'List device authorizations, newest first',
    'Returns device authorizations with their states and, with `secrets`, their device codes.',
  )
    .input(z.extend(s.deviceFilterSchema, s.secretsSchema.shape))
    .output(s.listOf(s.deviceSchema)),
  create: op(
    'POST /devices',
    'Open a device authorization',
    'Opens a device authorization, as POST /oauth/device_authorization does, and returns both codes.',
    201,
  )
    .meta({
      example: { client_id: 'demo-app', scope: 'openid' },
      conflict: 'The client may not use the device authorization grant.',
    })
    .input(s.openDeviceSchema)
    .output(s.deviceSchema),
  get: op(
    'GET /devices/{id}',
    'Read a device authorization',
    'Returns one device authorization and, with `secrets`, its device code.',
  )
    .input(z.extend(idKey, s.secretsSchema.shape))
    .output(s.deviceSchema),
  approve: op(
    'POST /devices/{id}/approve',
    'Approve a device as a user',
    'Approves the device as if the user had done so at /device. The device receives its tokens with the next poll.',
  )
    .meta({ example: { sub: 'ada' }, conflict: DECIDED })
    .input(z.extend(idKey, s.deviceApprovalMembers))
    .output(s.deviceSchema),
  deny: op(
    'POST /devices/{id}/deny',
    'Deny a device',
    'Denies the device as if the user had done so at /device. The response to its next poll is access_denied.',
  )
    .meta({ conflict: DECIDED })
    .input(idKey)
    .output(s.deviceSchema),
  expire: op(
    'POST /devices/{id}/expire',
    'Expire a device now',
    'Expires both codes of the device. The response to its next poll is expired_token.',
  )
    .meta({ conflict: 'The device authorization is neither pending nor approved.' })
    .input(idKey)
    .output(s.deviceSchema),
};

export const callbacks = {
  create: op(
    'POST /callbacks',
    'Open a callback for one sign-in',
    'Listens on a loopback address for one redirect with the returned state, for at most 5 minutes of machine time. Does not register the redirect URI.',
    201,
  )
    .meta({
      example: { redirect_uri: 'http://127.0.0.1/callback' },
      conflict: 'The port of the redirect URI is in use.',
    })
    .input(s.openCallbackSchema)
    .output(s.callbackSchema),
  get: op(
    'GET /callbacks/{id}',
    'Read a callback, or wait for its redirect',
    'Returns the callback, with the URL of the redirect once it was received.',
  )
    .input(z.extend(idKey, s.callbackWaitSchema.shape))
    .output(s.callbackSchema),
  remove: op(
    'DELETE /callbacks/{id}',
    'Close a callback',
    'Stops listening for the redirect and deletes the callback.',
    204,
  ).input(idKey),
};
