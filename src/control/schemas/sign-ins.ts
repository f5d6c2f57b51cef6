// Sign-ins without the app: device authorizations (RFC 8628) and callbacks of a browser.

import { DECIDED_ON, DEVICE_STATES } from '../../core/records/enumerations.ts';
import { PARAMETER_LIMITS } from '../../core/records/bounds.ts';
import { described, z } from '../../core/records/zod.ts';
import { text } from '../../core/records/members.ts';
import { mintTokensSchema } from './credentials.ts';
import * as v from './values.ts';

const ofMint = mintTokensSchema.shape;

/** A device authorization, in any state (behaviour 4). */
export const deviceSchema = z.object({
  id: v.string('The user code. As an identifier, its hyphens and case are ignored.'),
  state: described(
    z.enum(DEVICE_STATES),
    'pending until the user decides; redeemed once the device has received its tokens.',
  ),
  user_code: v.string('The code that the device shows and the user enters.'),
  device_code: v.stringOrNull(
    'The code that the device polls with; null unless secrets were requested.',
  ),
  verification_uri: v.string('The page where the user enters the code.'),
  verification_uri_complete: v.string('The same page with the code filled in.'),
  client_id: v.client_id,
  audience: v.string('The API that the access token is for.'),
  scope: v.string('The requested scope that can be granted.'),
  sub: v.stringOrNull('The user who approved; null unless approved.'),
  granted_scope: v.stringOrNull('The approved scope; null unless approved.'),
  interval: v.integer('Seconds that the device must wait between two polls.'),
  polls: v.integer('Number of polls before the user decided.'),
  polled_at: v.momentOrNull('When the device last polled; null before the first poll.'),
  issued_at: v.moment('When it was requested.'),
  expires_at: v.moment('When both codes expire.'),
  issued_by: v.integerOrNull(
    'Number of the exchange that requested it; null if it was opened through the control API.',
  ),
  decided_at: v.momentOrNull('When it was approved or denied; null until then.'),
  decided_on: described(
    z.nullable(z.enum(DECIDED_ON)),
    'Whether the user decided on the page, or the control API or the setting authorize decided.',
  ),
  decided_by: v.integerOrNull('Number of the exchange that decided it; null if none did.'),
  redeemed_at: v.momentOrNull('When the device received its tokens; null until then.'),
  redeemed_by: v.integerOrNull('Number of the exchange in which the device received its tokens.'),
});

export const deviceFilterSchema = z.extend(v.pageSchema, {
  state: described(z.optional(z.enum(DEVICE_STATES)), 'Only device authorizations in this state.'),
  client_id: v.optionalString('Only device authorizations of this client.'),
});

export const openDeviceSchema = z.strictObject({
  client_id: v.client_id,
  audience: ofMint.audience,
  scope: ofMint.scope,
});

/** The approval of a device authorization; its id is in the path. */
export const deviceApprovalMembers = {
  sub: ofMint.sub,
  scope: described(
    z.optional(text(PARAMETER_LIMITS.scope)),
    'The scope to grant; the requested scope by default.',
  ),
};

export type Device = z.infer<typeof deviceSchema>;

export const DEFAULT_CALLBACK = 'http://127.0.0.1/callback';

export const openCallbackSchema = z.strictObject({
  redirect_uri: described(
    z._default(z.string().check(z.maxLength(2000)), DEFAULT_CALLBACK),
    'A redirect URI with http on localhost, 127.0.0.1 or [::1]. Without a port, a free port is selected.',
  ),
});

export const callbackWaitSchema = z.object({
  wait_seconds: described(
    z._default(v.count(0, 60), 0),
    'Long poll: seconds of machine time to wait for the redirect, 0 to 60.',
  ),
});

export const callbackSchema = z.object({
  id: v.string('Identifier of the callback.'),
  status: described(
    z.enum(['waiting', 'received', 'expired']),
    'Whether the callback is waiting for the redirect, has received it, or has timed out.',
  ),
  redirect_uri: v.string('The redirect URI for the authorization request, with the selected port.'),
  state: v.string(
    'The state for the authorization request. A redirect with another state is ignored.',
  ),
  redirect_to: v.stringOrNull(
    'The URL of the redirect, with the code or the error in its query; null until it is received.',
  ),
  seconds_left: v.integer('Remaining time to wait, in seconds of machine time.'),
});

export type Callback = z.infer<typeof callbackSchema>;
