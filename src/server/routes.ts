// The routes: path, methods, handler, and whether pages of other origins may read the response.

import type { TokenService } from '../core/service.ts';
import type { Endpoint } from '../core/checks/trace.ts';
import type { PublishedDocument } from './capture.ts';
import type { CaptureContext } from './pending-exchange.ts';
import {
  deviceAuthorization,
  introspect,
  par,
  token,
  revoke,
} from './endpoints/client-requests.ts';
import { findApiRoute } from './endpoints/api.ts';
import { authorizationServerMetadata, jwks, openidConfiguration } from './endpoints/metadata.ts';
import type { SessionFrame } from './endpoints/session-frames.ts';
import { userinfo } from './endpoints/userinfo.ts';
import { type Answer, json, NO_STORE } from './reply.ts';
import type { EndpointHandler, Handler, Route } from './route.ts';

export interface RoutesOptions extends CaptureContext {
  readonly version: string;
  /** The URL of the workbench, without the control token. */
  readonly workbenchUrl: () => string | null;
}

/** Routes with pages for users; loaded on the first request. */
const inBrowser = {
  authorize: async (...request) => (await import('./endpoints/authorize.ts')).authorize(...request),
  device: async (...request) => (await import('./endpoints/device.ts')).device(...request),
  logout: async (...request) => (await import('./endpoints/logout.ts')).logout(...request),
} satisfies Readonly<Record<string, EndpointHandler>>;

/** Liveness: the process responds. */
const live = (): Answer => json({ status: 'ok' }, NO_STORE);

/** Readiness: a signing key exists. */
async function ready(service: TokenService): Promise<Answer> {
  await service.keyring.signing(service.settings().signing_alg);
  return json({ status: 'ready' }, NO_STORE);
}

/** GET includes HEAD (RFC 9110 9.3.2). */
const READ = ['GET', 'HEAD'] as const;

export type Routes = ReturnType<typeof createRoutes>;

/** The pages of Keycloak that an app shows in frames, by their paths beside the authorization endpoint. */
const FRAMES: ReadonlyMap<string, SessionFrame> = new Map([
  ['/3p-cookies/step1.html', 'step1'],
  ['/3p-cookies/step2.html', 'step2'],
  ['/login-status-iframe.html', 'status'],
  ['/login-status-iframe.html/init', 'status_origin'],
]);

function findFrameRoute(local: string, service: TokenService): Route | undefined {
  const shape = service.shape();
  if (shape?.given.provider !== 'keycloak') return undefined;
  const found = [...FRAMES].find(
    ([end]) =>
      local.endsWith(end) &&
      shape.routes.get(`${local.slice(0, -end.length)}/auth`) === 'authorization',
  );
  if (found === undefined) return undefined;
  const [, frame] = found;
  return {
    endpoint: null,
    methods: READ,
    cors: false,
    handle: async (...request) => {
      const { sessionFrame } = await import('./endpoints/session-frames.ts');
      return sessionFrame(frame, ...request, service);
    },
  };
}

const REGISTRATIONS = '/register/';

/** The registration of a client, which it manages itself (RFC 7592). */
function findRegistrationRoute(local: string, service: TokenService): Route | undefined {
  const segment = local.startsWith(REGISTRATIONS) ? local.slice(REGISTRATIONS.length) : '';
  if (segment === '' || segment.includes('/')) return undefined;
  return {
    endpoint: 'register',
    methods: [...READ, 'PUT', 'DELETE'],
    cors: false,
    served: () => service.settings().registration.mode !== 'off',
    handle: async (pending, headers) => {
      const { manageRegistration } = await import('./endpoints/register.ts');
      return manageRegistration(segment, pending, headers, service);
    },
  };
}

/** All paths below the issuer, and the protected APIs. */
export function createRoutes(options: RoutesOptions) {
  const { service } = options;
  const fixed = fixedRoutes(options);
  return {
    /**
     * Returns the route; undefined if there is none.
     * @param local the path below the issuer; empty for a path outside of it
     * @param path the path of the request, for metadata that has the issuer's path inside
     */
    find: (local: string, path: string) =>
      fixed.get(local) ??
      findRegistrationRoute(local, service) ??
      findFrameRoute(local, service) ??
      (service.registry.servedApis().length === 0 ? undefined : findApiRoute(local, path, service)),
  };
}

/** The paths that are always the same, below the issuer. */
export function fixedRoutes(options: RoutesOptions): ReadonlyMap<string, Route> {
  const { service } = options;
  const get = (handle: Handler): Route => ({ endpoint: null, methods: READ, cors: false, handle });
  const published = (document: PublishedDocument, handle: Handler): Route => ({
    ...get(handle),
    document,
    cors: true,
  });
  /** A route with evaluation that pages of any origin may use. */
  const evaluated = (
    endpoint: Endpoint,
    answer: EndpointHandler,
    methods: Route['methods'] = ['POST'],
  ): Route => ({
    endpoint,
    methods,
    cors: true,
    handle: (pending, headers, query) => answer(pending, headers, query, service),
  });
  return new Map<string, Route>([
    ['/oauth/token', evaluated('token', token)],
    ['/oauth/par', evaluated('par', par)],
    ['/oauth/revoke', evaluated('revoke', revoke)],
    ['/oauth/introspect', evaluated('introspect', introspect)],
    ['/oauth/device_authorization', evaluated('device_authorization', deviceAuthorization)],
    ['/userinfo', evaluated('userinfo', userinfo, [...READ, 'POST'])],
    [
      '/authorize',
      { ...evaluated('authorize', inBrowser.authorize, [...READ, 'POST']), cors: false },
    ],
    ['/device', { ...evaluated('device', inBrowser.device, [...READ, 'POST']), cors: false }],
    ['/logout', { ...evaluated('logout', inBrowser.logout, [...READ, 'POST']), cors: false }],
    [
      '/register',
      {
        endpoint: 'register',
        methods: ['POST'],
        cors: false,
        served: () => service.settings().registration.mode !== 'off',
        handle: async (pending, headers) => {
          const { register } = await import('./endpoints/register.ts');
          return register(pending, headers, service);
        },
      },
    ],
    ['/.well-known/jwks.json', published('jwks', () => jwks(service))],
    [
      '/.well-known/oauth-authorization-server',
      published('metadata', () => authorizationServerMetadata(service)),
    ],
    [
      '/.well-known/openid-configuration',
      published('metadata', () => openidConfiguration(service)),
    ],
    ['/livez', get(live)],
    ['/readyz', get(() => ready(service))],
    [
      '/',
      get(async () => {
        const { landing } = await import('./endpoints/landing.ts');
        return landing(service, options.workbenchUrl(), options.version);
      }),
    ],
  ]);
}
