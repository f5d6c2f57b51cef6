// Callbacks: listeners on the loopback for the redirect of one sign-in each.

import { described } from '../../core/records/described.ts';
import { z } from '../../core/records/zod.ts';
import { count, whole } from './values.ts';

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
