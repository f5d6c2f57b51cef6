// Which path goes where, with which methods, and which answers a page of another origin may read.

import type { IncomingHttpHeaders } from 'node:http';
import type { TokenService } from '../core/service.ts';
import { encodeRandom } from '../core/tokens.ts';
import type { Endpoint } from '../core/trace.ts';
import type { Arrival, Reception } from './arrival.ts';
import { live, ready } from './endpoints/health.ts';
import { introspect } from './endpoints/introspect.ts';
import { authorizationServerMetadata, jwks, openidConfiguration } from './endpoints/metadata.ts';
import { revoke } from './endpoints/revoke.ts';
import { token } from './endpoints/token.ts';
import { userinfo } from './endpoints/userinfo.ts';
import type { Answer } from './reply.ts';

export type Handler = (
  arrival: Arrival,
  headers: IncomingHttpHeaders,
  query: string,
) => Answer | Promise<Answer>;

export interface Route {
  /** Where requests are judged; null for what only informs. */
  readonly endpoint: Endpoint | null;
  readonly methods: readonly ('GET' | 'POST')[];
  readonly cors: boolean;
  readonly handle: Handler;
  /** Whether there is anything at the path now; always, when left out. */
  readonly served?: () => boolean;
}

export interface RoutesOptions extends Reception {
  readonly version: string;
  /** Where the workbench is, without its token. */
  readonly workbenchUrl: () => string | null;
}

function registrationLine(service: TokenService): [string, string][] {
  if (service.settings().registration.mode === 'off') return [];
  return [['Registration', `POST ${service.issuer()}/register`]];
}

async function landing(options: RoutesOptions): Promise<Answer> {
  const { landingPage, pagePolicy } = await import('./pages.ts');
  const { service } = options;
  const issuer = service.issuer();
  const nonce = encodeRandom(service.ports.random(16));
  const body = await landingPage({
    issuer,
    endpoints: [
      ['Token endpoint', `POST ${issuer}/oauth/token`],
      ['Revocation', `POST ${issuer}/oauth/revoke`],
      ['Introspection', `POST ${issuer}/oauth/introspect`],
      ['User info', `${issuer}/userinfo`],
      ...registrationLine(service),
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

/** Every path below the issuer. */
export function createRoutes(options: RoutesOptions): ReadonlyMap<string, Route> {
  const { service } = options;
  const get = (handle: Handler, cors = false): Route => ({
    endpoint: null,
    methods: ['GET'],
    cors,
    handle,
  });
  /** Judged, and open to pages of any origin. */
  const judged = (
    endpoint: Endpoint,
    answer: (...request: [...Parameters<Handler>, TokenService]) => Promise<Answer>,
    methods: Route['methods'] = ['POST'],
  ): Route => ({
    endpoint,
    methods,
    cors: true,
    handle: (arrival, headers, query) => answer(arrival, headers, query, service),
  });
  return new Map<string, Route>([
    ['/oauth/token', judged('token', token)],
    ['/oauth/revoke', judged('revoke', revoke)],
    ['/oauth/introspect', judged('introspect', introspect)],
    ['/userinfo', judged('userinfo', userinfo, ['GET', 'POST'])],
    [
      '/register',
      {
        ...{ endpoint: 'register', methods: ['POST'], cors: false },
        served: () => service.settings().registration.mode !== 'off',
        handle: async (arrival, headers) => {
          const { register } = await import('./endpoints/register.ts');
          return register(arrival, headers, service);
        },
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
