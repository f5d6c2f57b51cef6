// Where the endpoints are: steps name usual paths below the issuer, and a provider shape has paths of its own.

import { ENDPOINT_NAMES, ENDPOINTS, type EndpointName } from '../core/records/endpoints.ts';
import type { ScenarioSandbox } from './runner/sandbox.ts';

/** Returns the endpoint with this usual path; a query is ignored. */
export function endpointAt(path: string): EndpointName | undefined {
  const [plain = ''] = path.split('?', 1);
  return ENDPOINT_NAMES.find((name) => ENDPOINTS[name].path === plain);
}

export type ServerAddress = Pick<ScenarioSandbox, 'issuer' | 'endpoints'>;

/** Returns how paths below the issuer become paths at the server. Those that already are stay as they are. */
export function serverPathsOf({ issuer, endpoints }: ServerAddress): (path: string) => string {
  const base = new URL(issuer).pathname.replace(/\/$/, '');
  const own = new Map(
    Object.entries(endpoints ?? {}).map(([name, url]) => [name, new URL(url).pathname]),
  );
  const atServer = new Set(own.values());
  return (path) => {
    const [plain = ''] = path.split('?', 1);
    const endpoint = endpointAt(plain);
    const known = endpoint === undefined ? undefined : own.get(endpoint);
    if (known !== undefined) return `${known}${path.slice(plain.length)}`;
    const isAtServer = atServer.has(plain) || (base !== '' && plain.startsWith(`${base}/`));
    return isAtServer ? path : `${base}${path}`;
  };
}
