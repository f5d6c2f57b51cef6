// Which path goes where, and what holds for all of them: methods, CORS, one answer for every fault.

import type { IncomingHttpHeaders, IncomingMessage, ServerResponse } from 'node:http';
import { OAuthError } from '../core/errors.ts';
import type { TokenService } from '../core/service.ts';
import { encodeRandom } from '../core/tokens.ts';
import type { Arrival, Reception } from './arrival.ts';
import { createArrival } from './arrival.ts';
import { discardRest, readBody } from './body.ts';
import { live, ready } from './endpoints/health.ts';
import { authorizationServerMetadata, jwks, openidConfiguration } from './endpoints/metadata.ts';
import { token } from './endpoints/token.ts';
import type { Answer } from './reply.ts';
import { refuse, send } from './reply.ts';

type Handler = (
  arrival: Arrival,
  headers: IncomingHttpHeaders,
  query: string,
) => Answer | Promise<Answer>;

interface Route {
  readonly method: 'GET' | 'POST';
  readonly cors: boolean;
  readonly handle: Handler;
}

export interface AppOptions extends Reception {
  readonly version: string;
  /** Where the workbench is, without its token. */
  readonly workbenchUrl: () => string | null;
}

const EXPOSED = [
  'Grantbench-Exchange',
  'Retry-After',
  'RateLimit',
  'RateLimit-Policy',
  'X-RateLimit-Limit',
  'X-RateLimit-Remaining',
  'X-RateLimit-Reset',
  'WWW-Authenticate',
  'Date',
].join(', ');

const CORS = ['Access-Control-Allow-Origin', '*', 'Access-Control-Expose-Headers', EXPOSED];

function preflight(route: Route): Answer {
  return {
    status: 204,
    headers: [
      ...CORS,
      ...['Access-Control-Allow-Methods', `${route.method}, OPTIONS`],
      ...['Access-Control-Allow-Headers', 'Authorization, Content-Type'],
      ...['Access-Control-Max-Age', '600'],
    ],
    body: '',
    error: null,
  };
}

async function landing(options: AppOptions): Promise<Answer> {
  const { landingPage, pagePolicy } = await import('./pages.ts');
  const { service } = options;
  const issuer = service.issuer();
  const nonce = encodeRandom(service.ports.random(16));
  const body = await landingPage({
    issuer,
    endpoints: [
      ['Token endpoint', `POST ${issuer}/oauth/token`],
      ['Metadata', `${issuer}/.well-known/oauth-authorization-server`],
      ['OpenID metadata', `${issuer}/.well-known/openid-configuration`],
      ['Keys', `${issuer}/.well-known/jwks.json`],
    ],
    workbench: options.workbenchUrl(),
    version: options.version,
    nonce,
  });
  const headers = [
    ...['Content-Type', 'text/html; charset=utf-8'],
    ...['Content-Security-Policy', pagePolicy(nonce)],
    ...['Cache-Control', 'no-store'],
    ...['X-Content-Type-Options', 'nosniff'],
  ];
  return { status: 200, headers, body, error: null };
}

function createRoutes(options: AppOptions): ReadonlyMap<string, Route> {
  const { service } = options;
  const get = (handle: Handler, cors = false): Route => ({ method: 'GET', cors, handle });
  return new Map<string, Route>([
    [
      '/oauth/token',
      {
        method: 'POST',
        cors: true,
        handle: (arrival, headers, query) => token(arrival, headers, query, service),
      },
    ],
    ['/.well-known/jwks.json', get(() => jwks(service), true)],
    [
      '/.well-known/oauth-authorization-server',
      get(() => authorizationServerMetadata(service), true),
    ],
    ['/.well-known/openid-configuration', get(() => openidConfiguration(service), true)],
    ['/livez', get(live)],
    ['/readyz', get(() => ready(service))],
    ['/', get(() => landing(options))],
  ]);
}

/** The issuer's own path, without trailing slash: mostly none. */
function basePath(issuer: string): string {
  const slash = issuer.indexOf('/', issuer.indexOf('://') + 3);
  return slash < 0 ? '' : issuer.slice(slash).replace(/\/$/, '');
}

/**
 * The path without the issuer's own path, below which the endpoints are served. RFC 8414 3.1 puts an
 * issuer's path behind the well-known name; health and landing answer at the root as well.
 */
function localPath(path: string, issuer: string): string {
  const base = basePath(issuer);
  if (base === '') return path;
  if (path === base) return '/';
  if (path.startsWith(`${base}/`)) return path.slice(base.length);
  if (path.startsWith('/.well-known/') && path.endsWith(base)) return path.slice(0, -base.length);
  return ['/', '/livez', '/readyz'].includes(path) ? path : '';
}

/** `Path?query`, also of the absolute form that proxies send (RFC 9112 3.2.2). */
function splitTarget(target: string): [path: string, query: string] {
  const local = target.replace(/^https?:\/\/[^/?#]*/i, '');
  const mark = local.indexOf('?');
  return mark < 0 ? [local || '/', ''] : [local.slice(0, mark) || '/', local.slice(mark + 1)];
}

async function dispatch(
  arrival: Arrival,
  headers: IncomingHttpHeaders,
  routes: ReadonlyMap<string, Route>,
  service: TokenService,
): Promise<Answer> {
  const [path, query] = splitTarget(arrival.target);
  const route = routes.get(localPath(path, service.issuer()));
  if (route === undefined) return refuse(arrival, new OAuthError('not_found'), service);
  if (route.cors && arrival.method === 'OPTIONS') return preflight(route);
  const allowed = route.method === 'GET' ? ['GET', 'HEAD'] : [route.method];
  const answer = allowed.includes(arrival.method)
    ? await route.handle(arrival, headers, query)
    : refuse(
        arrival,
        new OAuthError('method_not_allowed', {
          expected: allowed.join(' or '),
          got: arrival.method,
        }),
        service,
        ['Allow', [...allowed, ...(route.cors ? ['OPTIONS'] : [])].join(', ')],
      );
  return route.cors ? { ...answer, headers: [...answer.headers, ...CORS] } : answer;
}

const UNREADABLE = {
  too_large: 'body_too_large',
  stalled: 'body_stalled',
  cut: 'body_cut',
  malformed: 'malformed_http',
} as const;

/** Takes the body in; answers the refusal when it cannot be had whole. */
async function takeBody(
  request: IncomingMessage,
  arrival: Arrival,
  service: TokenService,
): Promise<Answer | null> {
  const limit = service.settings().max_body_bytes;
  const { outcome, body } = await readBody(request, limit);
  arrival.request_body = body;
  arrival.request_bytes = body.length;
  if (outcome === 'read') return null;
  if (outcome === 'too_large') {
    arrival.request_bytes = Number(request.headers['content-length'] ?? body.length + 1);
    discardRest(request);
  }
  const refusal = new OAuthError(UNREADABLE[outcome], { expected: String(limit) });
  return refuse(arrival, refusal, service, ['Connection', 'close', ...CORS]);
}

/** Handles every request; never rejects. A fault is told to `onFault` and answered 500. */
export function createApp(
  options: AppOptions,
  onFault: (fault: unknown) => void,
): (request: IncomingMessage, response: ServerResponse) => Promise<void> {
  const { service } = options;
  const routes = createRoutes(options);
  return async (request, response) => {
    const arrival = createArrival(request, undefined, options);
    let answer: Answer;
    try {
      answer =
        (await takeBody(request, arrival, service)) ??
        (await dispatch(arrival, request.headers, routes, service));
    } catch (fault) {
      onFault(fault);
      answer = refuse(arrival, new OAuthError('fault'), service, CORS);
    }
    send(response, arrival, answer, options);
  };
}
