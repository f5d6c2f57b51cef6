// Pushed authorization requests (RFC 9126). A request_uri that cannot be used is reported on a page: where the
// request would have been answered is part of what was pushed.

import type { Refusal } from './refusal.ts';
import { instant, owner, refusing, since } from './refusal.ts';

const unusable = refusing('invalid_request_uri');
const invalid = refusing('invalid_request');

const NOT_OF_CLIENT = 'request_uri must be one that was issued to this client (RFC 9126 2.2)';

export const PUSHED_REQUEST_REFUSALS = {
  request_uri_unknown: unusable(
    'request_uri',
    NOT_OF_CLIENT,
    'This service did not issue this request_uri or no longer keeps it.',
    {
      advice:
        'Push the request again and send its request_uri unchanged. Pushed requests are lost when the sandbox is reset or restarted.',
    },
  ),
  request_uri_of_other_client: unusable(
    'request_uri',
    NOT_OF_CLIENT,
    'The request_uri was issued to another client.',
    { detail: owner, advice: 'Send the client_id of the client that pushed the request.' },
  ),
  request_uri_used: unusable(
    'request_uri',
    'request_uri can be used only once (RFC 9126 4)',
    'The request with this request_uri was already answered.',
    {
      detail: (facts) => `answered at ${instant(facts.at)} by exchange ${facts.exchange ?? '?'}`,
      advice: 'Push a new request for each authorization.',
    },
  ),
  request_uri_expired: unusable(
    'request_uri',
    'request_uri has expired (RFC 9126 4)',
    'The request_uri expired before it was used.',
    {
      detail: since,
      advice:
        'Send the browser to /authorize right after the push; expires_in says how long it lasts.',
    },
  ),
  request_uri_pushed: invalid(
    'request_uri',
    'request_uri must not be sent in a pushed request (RFC 9126 2.1)',
    'The pushed request refers to another request with request_uri.',
    { advice: 'Push the parameters of the authorization request themselves.' },
  ),
  push_required: invalid(
    'pushed',
    'the request must be pushed to the pushed authorization request endpoint first (RFC 9126 4)',
    'The request was sent to /authorize with its parameters, but it must be pushed first.',
    {
      detail: ({ client }) =>
        client === undefined ? 'the settings require it' : `client ${client} requires it`,
      advice:
        'Post the parameters to /oauth/par, then send client_id and the request_uri of the response to /authorize.',
    },
  ),
} satisfies Record<string, Refusal>;
