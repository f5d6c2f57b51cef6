// Sign-ins beside the app: device authorizations (RFC 8628), opened, listed, decided, and callbacks of a browser.

import { DECIDED_ON, DEVICE_STATES } from '../../core/records/enumerations.ts';
import { PARAMETER_LIMITS } from '../../core/records/bounds.ts';
import { described, z } from '../../core/records/zod.ts';
import { text } from '../../core/records/members.ts';
import { at, count, pageSchema, whole } from './values.ts';

const scope = z.optional(text(PARAMETER_LIMITS.scope));

/** A device authorization in whatever state (behaviour 4). */
export const deviceSchema = z.object({
  id: described(
    z.string(),
    'The user code. Its grouping and case do not matter where it names the record.',
  ),
  state: described(
    z.enum(DEVICE_STATES),
    'pending until the user decides; redeemed once the device has its tokens.',
  ),
  user_code: described(z.string(), 'The code that the device shows and the user enters.'),
  device_code: described(
    z.nullable(z.string()),
    'The code that the device polls with; null unless secrets were requested.',
  ),
  verification_uri: described(z.string(), 'The page where the user enters the code.'),
  verification_uri_complete: described(z.string(), 'The same page with the code filled in.'),
  client_id: described(z.string(), 'Identifier of the client (RFC 7591).'),
  audience: described(z.string(), 'The API that the access token is for.'),
  scope: described(z.string(), 'The scope that was requested and can be granted.'),
  sub: described(z.nullable(z.string()), 'The user who approved; null unless approved.'),
  granted_scope: described(z.nullable(z.string()), 'The approved scope; null unless approved.'),
  interval: described(whole, 'Seconds that the device must wait between two polls.'),
  polls: described(whole, 'Number of polls while the user had not decided.'),
  polled_at: described(z.nullable(at), 'When it polled last; null before the first poll.'),
  issued_at: described(at, 'When it was requested.'),
  expires_at: described(at, 'When both codes expire.'),
  issued_by: described(
    z.nullable(whole),
    'Number of the exchange that requested it; null if it was opened through the control API.',
  ),
  decided_at: described(z.nullable(at), 'When it was approved or denied; null until then.'),
  decided_on: described(
    z.nullable(z.enum(DECIDED_ON)),
    'Whether it was decided on the page, through the control API, or by the setting authorize.',
  ),
  decided_by: described(
    z.nullable(whole),
    'Number of the exchange that decided it; null if none did.',
  ),
  redeemed_at: described(z.nullable(at), 'When the device got its tokens; null until then.'),
  redeemed_by: described(
    z.nullable(whole),
    'Number of the exchange in which the device got its tokens.',
  ),
});

export const deviceFilterSchema = z.extend(pageSchema, {
  state: described(z.optional(z.enum(DEVICE_STATES)), 'Only device authorizations in this state.'),
  client_id: described(z.optional(z.string()), 'Only device authorizations of this client.'),
});

export const openDeviceSchema = z.strictObject({
  client_id: described(z.string(), 'Identifier of the client (RFC 7591).'),
  audience: described(
    z.optional(z.string()),
    'The API that the access token is for; the default audience of the client by default.',
  ),
  scope: described(scope, 'Scope tokens, separated by spaces (RFC 6749 3.3).'),
});

/** What approves a device authorization; its id is in the path. */
export const deviceApprovalMembers = {
  sub: described(z.optional(z.string()), 'Identifier of the user; the first user by default.'),
  scope: described(scope, 'The scope to grant; all of the requested scope by default.'),
};

export type Device = z.infer<typeof deviceSchema>;

export const DEFAULT_CALLBACK = 'http://127.0.0.1/callback';

export const openCallbackSchema = z.strictObject({
  redirect_uri: described(
    z._default(z.string().check(z.maxLength(2000)), DEFAULT_CALLBACK),
    'A redirect URI with http on localhost, 127.0.0.1 or [::1]; without a port, a free one is taken.',
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
    'Whether it waits for the redirect, has received it, or waited for too long.',
  ),
  redirect_uri: described(
    z.string(),
    'The redirect URI to put into the authorization request, with the port that was taken.',
  ),
  state: described(
    z.string(),
    'The state to put into the authorization request; a redirect with another one is ignored.',
  ),
  redirect_to: described(
    z.nullable(z.string()),
    'The URL of the redirect, with the code or the error in its query; null without one.',
  ),
  seconds_left: described(whole, 'Seconds of machine time that it still waits.'),
});

export type Callback = z.infer<typeof callbackSchema>;
