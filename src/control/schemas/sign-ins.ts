// Sign-ins without the app: device authorizations (RFC 8628) and callbacks of a browser.

import { DECIDED_ON, DEVICE_STATES } from '../../core/records/enumerations.ts';
import { PARAMETER_LIMITS } from '../../core/records/bounds.ts';
import { described, z } from '../../core/records/zod.ts';
import { text } from '../../core/records/members.ts';
import { mintTokensSchema } from './credentials.ts';
import { at, client_id, count, pageSchema, whole } from './values.ts';

const ofMint = mintTokensSchema.shape;

/** A device authorization, in any state (behaviour 4). */
export const deviceSchema = z.object({
  id: described(z.string(), 'The user code. As an identifier, its hyphens and case are ignored.'),
  state: described(
    z.enum(DEVICE_STATES),
    'pending until the user decides; redeemed once the device has received its tokens.',
  ),
  user_code: described(z.string(), 'The code that the device shows and the user enters.'),
  device_code: described(
    z.nullable(z.string()),
    'The code that the device polls with; null unless secrets were requested.',
  ),
  verification_uri: described(z.string(), 'The page where the user enters the code.'),
  verification_uri_complete: described(z.string(), 'The same page with the code filled in.'),
  client_id,
  audience: described(z.string(), 'The API that the access token is for.'),
  scope: described(z.string(), 'The requested scope that can be granted.'),
  sub: described(z.nullable(z.string()), 'The user who approved; null unless approved.'),
  granted_scope: described(z.nullable(z.string()), 'The approved scope; null unless approved.'),
  interval: described(whole, 'Seconds that the device must wait between two polls.'),
  polls: described(whole, 'Number of polls before the user decided.'),
  polled_at: described(z.nullable(at), 'When the device last polled; null before the first poll.'),
  issued_at: described(at, 'When it was requested.'),
  expires_at: described(at, 'When both codes expire.'),
  issued_by: described(
    z.nullable(whole),
    'Number of the exchange that requested it; null if it was opened through the control API.',
  ),
  decided_at: described(z.nullable(at), 'When it was approved or denied; null until then.'),
  decided_on: described(
    z.nullable(z.enum(DECIDED_ON)),
    'Whether the user decided on the page, or the control API or the setting authorize decided.',
  ),
  decided_by: described(
    z.nullable(whole),
    'Number of the exchange that decided it; null if none did.',
  ),
  redeemed_at: described(z.nullable(at), 'When the device received its tokens; null until then.'),
  redeemed_by: described(
    z.nullable(whole),
    'Number of the exchange in which the device received its tokens.',
  ),
});

export const deviceFilterSchema = z.extend(pageSchema, {
  state: described(z.optional(z.enum(DEVICE_STATES)), 'Only device authorizations in this state.'),
  client_id: described(z.optional(z.string()), 'Only device authorizations of this client.'),
});

export const openDeviceSchema = z.strictObject({
  client_id,
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
    z._default(count(0, 60), 0),
    'Long poll: seconds of machine time to wait for the redirect, 0 to 60.',
  ),
});

export const callbackSchema = z.object({
  id: described(z.string(), 'Identifier of the callback.'),
  status: described(
    z.enum(['waiting', 'received', 'expired']),
    'Whether the callback is waiting for the redirect, has received it, or has timed out.',
  ),
  redirect_uri: described(
    z.string(),
    'The redirect URI for the authorization request, with the selected port.',
  ),
  state: described(
    z.string(),
    'The state for the authorization request. A redirect with another state is ignored.',
  ),
  redirect_to: described(
    z.nullable(z.string()),
    'The URL of the redirect, with the code or the error in its query; null until it is received.',
  ),
  seconds_left: described(whole, 'Remaining time to wait, in seconds of machine time.'),
});

export type Callback = z.infer<typeof callbackSchema>;
