// CORS (behaviour 7.13): pages of any origin may read the responses of endpoints that do not use cookies. These
// headers are only sent to requests with an Origin header.

import type { IncomingHttpHeaders } from 'node:http';
import { OAuthError } from '../core/checks/errors.ts';
import { recordFinding } from '../core/checks/trace.ts';
import { evaluationOf, type PendingExchange } from './pending-exchange.ts';
import { type Answer, type HeaderList, PREFLIGHT_STATUS } from './reply.ts';
import type { Route } from './route.ts';

const EXPOSED = [
  'Grantbench-Exchange',
  'Retry-After',
  'RateLimit',
  'RateLimit-Policy',
  'X-RateLimit-Limit',
  'X-RateLimit-Remaining',
  'X-RateLimit-Reset',
  'WWW-Authenticate',
  'DPoP-Nonce',
  'Date',
].join(', ');

const NONE: HeaderList = [];
const VARY: HeaderList = ['Vary', 'Origin'];

/**
 * Lets a page read the response. Names its origin instead of `*`, so that requests with credentials are allowed as
 * well.
 */
export function corsHeaders(route: Route | undefined, { origin }: IncomingHttpHeaders): HeaderList {
  if (route?.cors !== true) return NONE;
  if (origin === undefined) return VARY;
  return [
    ...VARY,
    'Access-Control-Allow-Origin',
    origin,
    'Access-Control-Allow-Credentials',
    'true',
    'Access-Control-Expose-Headers',
    EXPOSED,
  ];
}

/** Headers that OAuth clients may need, for a preflight that requests none. */
const USUAL_HEADERS = 'Authorization, Content-Type';

/** The name of a header (RFC 9110 5.1). */
const HEADER_NAME = /^[\w!#$%&'*+.^`|~-]+$/;

/** Allows every requested header, because the SDKs of providers send their own. */
function allowedHeaders({ 'access-control-request-headers': asked = '' }: IncomingHttpHeaders) {
  const names = asked.split(',').map((name) => name.trim());
  return names.every((name) => HEADER_NAME.test(name)) ? names.join(', ') : USUAL_HEADERS;
}

/** Whether the request is a CORS preflight (Fetch 3.2.2). */
export const isPreflight = ({ method }: PendingExchange, headers: IncomingHttpHeaders): boolean =>
  method === 'OPTIONS' &&
  headers.origin !== undefined &&
  headers['access-control-request-method'] !== undefined;

/**
 * Responds to OPTIONS at an endpoint that pages may use. If the browser will not send the request, the exchange says
 * why.
 */
export function preflight(
  route: Route,
  pending: PendingExchange,
  headers: IncomingHttpHeaders,
): Answer {
  const methods: readonly string[] = route.methods;
  const asked = headers['access-control-request-method'];
  if (asked !== undefined && !methods.includes(asked)) {
    const evaluation = evaluationOf(pending);
    evaluation.endpoint = route.endpoint;
    const expected = methods.join(' or ');
    const got = /^[A-Z]{1,20}$/.test(asked) ? asked : 'another method';
    recordFinding(evaluation, new OAuthError('preflight_method', { expected, got }));
  }
  return {
    status: PREFLIGHT_STATUS,
    headers: [
      'Access-Control-Allow-Methods',
      [...methods, 'OPTIONS'].join(', '),
      'Access-Control-Allow-Headers',
      allowedHeaders(headers),
      'Access-Control-Max-Age',
      '600',
      'Vary',
      'Access-Control-Request-Headers',
    ],
    body: '',
    error: null,
  };
}
