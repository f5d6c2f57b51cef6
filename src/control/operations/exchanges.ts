// Sending requests, exchanges, reasons for rejections, advisories, and the event feed.

import { described, z } from '../../core/records/zod.ts';
import * as e from '../export-schemas.ts';
import * as s from '../schemas.ts';
import { eventsOf, op } from './op.ts';

export const requests = {
  send: op(
    'POST /requests',
    'Send a request over HTTP and read its exchange',
    'Sends the request to the sandbox from its own machine and returns the exchange.',
  )
    .meta({
      example: {
        method: 'POST',
        path: '/oauth/token',
        headers: { 'Content-Type': 'application/x-www-form-urlencoded' },
        body: 'grant_type=refresh_token&client_id=demo-app&client_secret=demo-secret&refresh_token=x',
      },
      conflict:
        'The authorization server is not running or closed the connection, or the exchange was not kept.',
    })
    .input(s.sendRequestSchema)
    .output(s.exchangeSchema),
  evaluate: op(
    'POST /requests/evaluate',
    'Forecast what would happen to a request, without sending it',
    'Evaluates the request as if it were sent now, and returns the response, the checks and the effects. Nothing is consumed, counted, captured or logged, and no token is signed. Supports the token endpoint, revocation, introspection, userinfo, protected APIs, device authorization and pushed authorization requests.',
  )
    .meta({
      example: {
        path: '/oauth/token',
        headers: { 'Content-Type': 'application/x-www-form-urlencoded' },
        body: 'grant_type=refresh_token&client_id=demo-app&client_secret=demo-secret&refresh_token={{token}}',
        credentials: { token: 'b1946ac92492d234' },
      },
      conflict: 'The value of a named credential is no longer kept.',
    })
    .input(s.evaluateRequestSchema)
    .output(s.forecastSchema),
};

export const exchanges = {
  list: op(
    'GET /exchanges',
    'List exchanges, newest first',
    'Returns exchanges, newest first. With `wait_seconds`, waits for the first match, so that tests need not poll.',
  )
    .input(s.exchangeFilterSchema)
    .output(s.listOf(s.exchangeSummarySchema)),
  export: op(
    'GET /exchanges/export',
    'Read exchanges as one document: HAR 1.2 or JSON',
    'Returns exchanges as one document. Secrets are redacted unless requested with `secrets`.',
  )
    .input(e.exchangeExportSchema)
    .output(z.union([e.harSchema, e.exchangeDocumentSchema])),
  get: op(
    'GET /exchanges/{number}',
    'Read an exchange',
    'Returns an exchange with its request, response, checks, and the cause of a rejection.',
  )
    .input(
      z.extend(
        z.object({
          number: described(
            z.coerce.number<number>().check(z.int(), z.minimum(1)),
            'Number of the exchange, as in the Grantbench-Exchange header of its response.',
          ),
        }),
        s.secretsSchema.shape,
      ),
    )
    .output(s.exchangeSchema),
};

export const refusals = {
  list: op(
    'GET /refusals',
    'List the reasons why requests are rejected',
    'Returns each reason with its check and advice, and the places where it can occur: endpoint, grants, how the client is informed, and the status and error code in each dialect and under the current shape.',
  ).output(s.listOf(s.refusalSchema)),
};

export const advisories = {
  list: op(
    'GET /advisories',
    'List redundant token requests, newest first, with totals per client',
    'Returns token requests and authorizations that were redundant because the previous token was still valid, with totals per client.',
  )
    .input(s.advisoryFilterSchema)
    .output(
      z.extend(s.listOf(s.advisoryEntrySchema), {
        clients: described(
          z.array(s.advisoryCountsSchema),
          'Number of advisories for each client since the start or the last reset.',
        ),
      }),
    ),
};

export const events = op(
  'GET /events',
  'Subscribe to the event feed',
  'Sends server-sent events, each with a batch of changes, at most 10 per second. A slow subscriber misses events; a gap between `last` and the next `first` shows this.',
).output(eventsOf(s.feedBatchSchema));
