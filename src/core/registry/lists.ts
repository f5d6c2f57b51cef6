// The registered clients, users and audiences. Records are replaced, never mutated. Each list is bounded in entries
// and bytes; nothing is removed automatically, so callers check for room before they add a record.

import { userOf } from '../model/sign-in-claims.ts';
import type { Bounds } from '../collections/bounded-map.ts';
import type { DomainEvent, Sha256 } from '../model/ports.ts';
import type { Api, Audience, Client, Profile, User } from '../records/schemas.ts';
import { RECORD_BOUNDS } from '../records/bounds.ts';
import { keptText } from '../collections/kept-text.ts';
import { recordBytes } from '../collections/weight.ts';
import type { Lineage, Registration } from '../model/credentials.ts';
import { audienceOfApi } from '../records/api-address.ts';
import { apisFor, scopesOfApi, withMcpServer } from './apis.ts';
import { OAuthError } from '../checks/errors.ts';
import type { RefusalReason } from '../checks/refusals/index.ts';

/** A keyed list in the order of registration. */
export interface Collection<T> {
  get(key: string): T | undefined;
  list(): T[];
  first(): T | undefined;
  /** Whether there is room to add the record, or to replace the one with its key. */
  hasRoomFor(record: T): boolean;
  /**
   * Adds the record, or replaces the one with its key at the same position.
   * @param position position in the list, from 0; a larger number than there are records appends it
   */
  put(record: T, position?: number): void;
  remove(key: string): boolean;
  replaceAll(records: readonly T[]): void;
  readonly bounds: Bounds;
  readonly size: number;
  readonly bytes: number;
}

export interface Registry {
  readonly clients: Collection<Client>;
  readonly users: Collection<User>;
  readonly audiences: Collection<Audience>;
  /** The protected APIs of the workspace. */
  readonly apis: Collection<Api>;
  /** Returns the protected APIs that this service itself serves now. */
  servedApis(): readonly Api[];
  /** Returns a registered audience, or that of a protected API; undefined for any other, such as the issuer. */
  audience(uri: string): Audience | undefined;
  /** Returns the audiences that requests can name beside the issuer; some may be repeated. */
  audienceUris(): string[];
  /** Whether the audience is that of a protected API. */
  servesApi(uri: string): boolean;
  /** Whether the audience is that of an MCP server. */
  servesMcp(uri: string): boolean;
  /** Returns all scopes that the audiences and protected APIs of the workspace define; some may be repeated. */
  definedScopes(): string[];
  /** Returns the digest of the client's secret; null for a client without one. */
  secretDigest(client: Client): string | null;
  /** Returns the registration of the record, which has ended if the client is no longer registered. */
  registrationOf(client: Client): Registration;
  /** A text that all tokens for this audience share: the registered one, or one kept for it. */
  sharedAudience(uri: string): string;
  /** Called with the secrets of every client and user that is added or changed. */
  onSecret(listener: (secret: string) => void): void;
  /** Called with registrations that have ended, after the clients were removed. */
  onRemoved(listener: (ended: readonly Registration[]) => void): void;
}

interface CollectionOptions<T> {
  readonly keyOf: (record: T) => string;
  readonly bounds: Bounds;
  readonly onPut?: (record: T) => void;
  readonly onRemoved?: (keys: readonly string[]) => void;
  /** Called after a change is applied. */
  readonly onChange: () => void;
}

const nothing = () => undefined;

export function createCollection<T>(options: CollectionOptions<T>): Collection<T> {
  const { keyOf, bounds, onPut = nothing, onRemoved = nothing, onChange } = options;
  const records = new Map<string, T>();
  const weights = new Map<string, number>();
  let bytes = 0;

  const drop = (key: string): boolean => {
    bytes -= weights.get(key) ?? 0;
    weights.delete(key);
    return records.delete(key);
  };
  const add = (record: T) => {
    const key = keyOf(record);
    const weight = recordBytes(record);
    bytes += weight - (weights.get(key) ?? 0);
    weights.set(key, weight);
    records.set(key, record);
    onPut(record);
  };
  const place = (record: T, position: number) => {
    const others = [...records.values()].filter((other) => other !== record);
    records.clear();
    for (const one of others.toSpliced(position, 0, record)) records.set(keyOf(one), one);
  };
  return {
    bounds,
    get: (key) => records.get(key),
    list: () => [...records.values()],
    first: () => records.values().next().value,
    hasRoomFor: (record) => {
      const former = weights.get(keyOf(record));
      const entries = records.size + (former === undefined ? 1 : 0);
      const all = bytes - (former ?? 0) + recordBytes(record);
      return entries <= bounds.entries && all <= bounds.bytes;
    },
    put: (record, position) => {
      add(record);
      if (position !== undefined) place(record, position);
      onChange();
    },
    remove: (key) => {
      const removed = drop(key);
      if (removed) onRemoved([key]);
      if (removed) onChange();
      return removed;
    },
    replaceAll: (all) => {
      const former = [...records.keys()];
      former.forEach(drop);
      all.forEach(add);
      onRemoved(former.filter((key) => !records.has(key)));
      onChange();
    },
    get size() {
      return records.size;
    },
    get bytes() {
      return bytes;
    },
  };
}

/**
 * @param now milliseconds of the sandbox clock
 * @param issuer returns the current issuer identifier
 * @param profile returns the current profile of the settings
 */
export function createRegistry(
  sha256: Sha256,
  emit: (event: DomainEvent) => void,
  now: () => number,
  issuer: () => string,
  profile: () => Profile,
): Registry {
  const digests = new WeakMap<Client, string>();
  const registrations = createRegistrations(now);
  const secretListeners: ((secret: string) => void)[] = [];
  const tellSecret = (secret: string | null) => {
    if (secret === null) return;
    for (const listener of secretListeners) listener(secret);
  };
  const changed = (list: keyof typeof RECORD_BOUNDS) => () => {
    emit({ type: 'registry', list });
  };
  const audiences = createCollection<Audience>({
    keyOf: (audience) => audience.uri,
    bounds: RECORD_BOUNDS.audiences,
    onChange: changed('audiences'),
  });
  const apis = createCollection<Api>({
    keyOf: (api) => api.name,
    bounds: RECORD_BOUNDS.apis,
    onChange: changed('apis'),
  });
  const servedApis = () => {
    const own = apis.size === 0 ? [] : apis.list();
    return profile() === 'interop' ? withMcpServer(own) : own;
  };
  const served = (uri: string) => apisFor(uri, servedApis(), issuer());
  /** Of those that are not registered, the one used last: mostly the issuer. */
  let unregistered = '';
  return {
    clients: createCollection<Client>({
      keyOf: (client) => client.client_id,
      bounds: RECORD_BOUNDS.clients,
      onPut: (client) => {
        registrations.put(client);
        tellSecret(client.client_secret);
        tellSecret(client.registration_access_token ?? null);
      },
      onRemoved: registrations.end,
      onChange: changed('clients'),
    }),
    users: createCollection<User>({
      keyOf: (user) => user.sub,
      bounds: RECORD_BOUNDS.users,
      onPut: ({ password }) => {
        tellSecret(password);
      },
      onChange: changed('users'),
    }),
    audiences,
    apis,
    servedApis,
    servesApi: (uri) => served(uri).length > 0,
    servesMcp: (uri) => served(uri).some(({ kind }) => kind === 'mcp'),
    audience: (uri) => {
      const registered = audiences.get(uri);
      const own = served(uri);
      const [first] = own;
      if (first === undefined) return registered;
      const { name = first.name, scopes = [] } = registered ?? {};
      return { uri, name, scopes: [...new Set([...scopes, ...own.flatMap(scopesOfApi)])] };
    },
    audienceUris: () => [
      ...audiences.list().map(({ uri }) => uri),
      ...servedApis().map((api) => audienceOfApi(api, issuer())),
    ],
    definedScopes: () => [
      ...audiences.list().flatMap(({ scopes }) => scopes),
      ...apis.list().flatMap(scopesOfApi),
    ],
    secretDigest: (client) => {
      if (client.client_secret === null) return null;
      let digest = digests.get(client);
      if (digest === undefined) {
        digest = sha256(client.client_secret);
        digests.set(client, digest);
      }
      return digest;
    },
    registrationOf: registrations.of,
    sharedAudience: (uri) => {
      const registered = audiences.get(uri);
      if (registered !== undefined) return registered.uri;
      if (unregistered !== uri) unregistered = keptText(uri);
      return unregistered;
    },
    onSecret: (listener) => {
      secretListeners.push(listener);
    },
    onRemoved: registrations.onEnd,
  };
}

/**
 * Credentials of a client end with its registration. A client that is registered later with the same client_id is a
 * different client and has none of them.
 * @param now milliseconds of the sandbox clock
 */
function createRegistrations(now: () => number) {
  const current = new Map<string, Registration>();
  /**
   * The key is the record, so that a request still in progress with the record of a deleted client issues credentials
   * for that registration.
   */
  const ofRecord = new WeakMap<Client, Registration>();
  const listeners: ((ended: readonly Registration[]) => void)[] = [];
  let last = 0;

  return {
    of: (client: Client) =>
      ofRecord.get(client) ?? { n: 0, client_id: client.client_id, ended_at: now() },
    put: (client: Client) => {
      const { client_id } = client;
      const registration = current.get(client_id) ?? { n: ++last, client_id, ended_at: null };
      current.set(client_id, registration);
      ofRecord.set(client, registration);
    },
    end: (client_ids: readonly string[]) => {
      const ended: Registration[] = [];
      for (const client_id of client_ids) {
        const registration = current.get(client_id);
        if (registration === undefined) continue;
        current.delete(client_id);
        registration.ended_at = now();
        ended.push(registration);
      }
      if (ended.length === 0) return;
      for (const listener of listeners) listener(ended);
    },
    onEnd: (listener: (ended: readonly Registration[]) => void) => {
      listeners.push(listener);
    },
  };
}

/** Finds the user in a hint, by `sub` or by email address (OpenID Connect Core 3.1.2.1). */
export function findHinted(hint: string, { users }: Registry): User | undefined {
  const address = hint.toLowerCase();
  return users.get(hint) ?? users.list().find(({ email }) => email.toLowerCase() === address);
}

/** Finds the user in a form, by `sub`, by email address, or by a name that only one user has. */
export function findUser(text: string, registry: Registry): User | undefined {
  const found = findHinted(text, registry);
  if (found !== undefined) return found;
  const [named, ...others] = registry.users.list().filter(({ name }) => name === text);
  return others.length === 0 ? named : undefined;
}

/**
 * Returns the current custom claims for the access tokens of a lineage. Those of the user override those of the
 * client.
 */
export function customClaims(
  registry: Registry,
  lineage: Pick<Lineage, 'registration' | 'user_sub' | 'openid'>,
): Readonly<Record<string, unknown>> {
  const { client_id } = lineage.registration;
  return { ...registry.clients.get(client_id)?.claims, ...userOf(registry, lineage)?.claims };
}

/**
 * Checks that a credential is presented by the client that it was issued to.
 * @param owner client_id that the credential was issued to
 * @throws OAuthError with this reason, naming both clients, if they differ
 */
export function checkOwner(
  owner: string,
  client: Client,
  registry: Registry,
  reason: RefusalReason,
): void {
  if (owner === client.client_id) return;
  throw new OAuthError(reason, {
    expected: owner,
    got: client.client_id,
    client: registry.clients.get(owner)?.client_name || owner,
    other_client: client.client_name || client.client_id,
  });
}
