// Authorization requests that clients have pushed (RFC 9126): each is named by a request_uri, belongs to its
// client, and can be used until it expires or was answered. While a person is asked, the page can be reloaded.

import type { AuthorizationRequest } from './request.ts';
import type { Bounds } from '../collections/bounded-map.ts';
import { createBoundedMap } from '../collections/bounded-map.ts';
import { OAuthError } from '../checks/errors.ts';
import { keptText } from '../collections/kept-text.ts';
import { keptRequest, requestBytes } from './kept-request.ts';
import type { Random } from '../model/ports.ts';
import { encodeRandom } from '../issuing/random-text.ts';

/** What every request_uri of this service begins with (RFC 9126 2.2). */
export const REQUEST_URI_PREFIX = 'urn:ietf:params:oauth:request_uri:';

interface PushedFacts {
  readonly client_id: string;
  /** Milliseconds of the sandbox clock. */
  readonly expires_at: number;
}

interface OpenRequest extends PushedFacts {
  readonly request: AuthorizationRequest;
}

/** When the request was answered, in milliseconds of the sandbox clock, and in which exchange. */
interface Use {
  readonly at: number;
  readonly exchange: number;
}

/** One that can no longer be used: its parameters are gone. */
interface EndedRequest extends PushedFacts {
  /** null: it expired before it was answered. */
  readonly use: Use | null;
}

export interface PushedRequests {
  /** Keeps the request of this client and returns its request_uri. */
  push(request: AuthorizationRequest, client_id: string, expires_at: number): string;
  /**
   * The request that was pushed.
   * @throws OAuthError `invalid_request_uri` when it is unknown, another client's, used or expired
   */
  find(request_uri: string, client_id: string, now: number): AuthorizationRequest;
  /** @throws OAuthError `invalid_request_uri` when the request was answered */
  checkUnused(request_uri: string): void;
  /** Ends a request that is answered now; returns the earlier use when there was one. */
  use(request_uri: string, use: Use): Use | null;
  /** Ends what has expired, so that a clock set back brings nothing to life. */
  expireAll(now: number): void;
  /** Forgets what these clients pushed. */
  forgetClients(client_ids: ReadonlySet<string>): void;
  clear(): void;
  readonly size: number;
  readonly bytes: number;
}

const MIB = 1024 * 1024;

/** The oldest goes first. */
export const PUSHED_BOUNDS = { entries: 1000, bytes: MIB } as const;

const ENTRY_BYTES = 480;

const weigh = (entry: OpenRequest | EndedRequest): number =>
  ENTRY_BYTES + ('request' in entry ? requestBytes(entry.request) : 0);

export function createPushedRequests(
  random: Random,
  bounds: Bounds = PUSHED_BOUNDS,
): PushedRequests {
  const pushed = createBoundedMap<string, OpenRequest | EndedRequest>(bounds, weigh);

  const useOf = (request_uri: string): Use | null => {
    const entry = pushed.get(request_uri);
    return entry === undefined || 'request' in entry ? null : entry.use;
  };
  const end = (request_uri: string, use: Use | null) => {
    const entry = pushed.get(request_uri);
    if (entry === undefined || !('request' in entry)) return;
    const { client_id, expires_at } = entry;
    pushed.set(request_uri, { client_id, expires_at, use });
  };
  const checkUnused = (request_uri: string) => {
    const use = useOf(request_uri);
    if (use !== null) throw new OAuthError('request_uri_used', { ...use });
  };
  return {
    push: (request, client_id, expires_at) => {
      const request_uri = `${REQUEST_URI_PREFIX}${encodeRandom(random(32))}`;
      const kept = keptRequest({ ...request, request_uri });
      pushed.set(request_uri, { client_id: keptText(client_id), expires_at, request: kept });
      return request_uri;
    },
    find: (request_uri, client_id, now) => {
      const entry = pushed.get(request_uri);
      if (entry === undefined) throw new OAuthError('request_uri_unknown');
      if (entry.client_id !== client_id) {
        const facts = { client: entry.client_id, other_client: client_id };
        throw new OAuthError('request_uri_of_other_client', facts);
      }
      checkUnused(request_uri);
      if (!('request' in entry) || entry.expires_at <= now) {
        end(request_uri, null);
        const seconds = Math.floor((now - entry.expires_at) / 1000);
        throw new OAuthError('request_uri_expired', { seconds });
      }
      return entry.request;
    },
    checkUnused,
    use: (request_uri, use) => {
      const before = useOf(request_uri);
      end(request_uri, use);
      return before;
    },
    expireAll: (now) => {
      for (const [request_uri, { expires_at }] of [...pushed.entries()]) {
        if (expires_at <= now) end(request_uri, null);
      }
    },
    forgetClients: (client_ids) => {
      for (const [request_uri, { client_id }] of [...pushed.entries()]) {
        if (client_ids.has(client_id)) pushed.delete(request_uri);
      }
    },
    clear: pushed.clear,
    get size() {
      return pushed.size;
    },
    get bytes() {
      return pushed.bytes;
    },
  };
}
