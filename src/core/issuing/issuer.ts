// Issuing: lineages, codes, refresh tokens and access tokens (behaviour 2 and 4). Nothing is judged
// here; whoever calls has decided already.

import type { CodeOrder } from './code-order.ts';
import { keptOrder } from './code-order.ts';
import type {
  AccessTokenRecord,
  CodeRecord,
  Lineage,
  RefreshTokenRecord,
} from '../model/credentials.ts';
import { credentialBytes, revokedAt, subOf } from '../model/credentials.ts';
import { formatAccessTokenId, formatLineageId } from '../model/access-token-id.ts';
import { keptText } from '../collections/kept-text.ts';
import type { Ports } from '../model/ports.ts';
import type { Registry } from '../registry/lists.ts';
import type { AccessTokenFormat, Client, Settings } from '../records/schemas.ts';
import type { Keyring } from './signing.ts';

/** What an access token is issued for. */
export interface AccessTokenOrder {
  readonly client: Client;
  readonly lineage: Lineage;
  readonly audience: string;
  readonly scope: string;
  /** Seconds; null takes the client's or the workspace's lifetime. */
  readonly expires_in: number | null;
  /** Number of the exchange; null over control. */
  readonly exchange: number | null;
}

export interface LineageOrder extends Pick<Lineage, 'user_sub' | 'audience' | 'scope'> {
  readonly client: Client;
}

/** An epoch, and when the last of its access tokens expires, in milliseconds of the sandbox clock. */
export interface KeptEpoch {
  readonly epoch: string;
  readonly until: number;
}

export interface IssuedInEpoch extends KeptEpoch {
  /** Number of the newest lineage; null in an earlier epoch, which opens no more. */
  readonly lineages: number | null;
}

export interface Issuer {
  /** New at every start and reset; a token of another epoch is no token of ours. */
  readonly epoch: string;
  /** Whether a token of this epoch can be one of ours: it is this one, or was kept. */
  recognises(epoch: string): boolean;
  /** Takes tokens of earlier epochs for ours as well: their keys and denials were kept. */
  keepEpochs(epochs: readonly KeptEpoch[]): void;
  /** What access tokens there can be by now: those of this epoch and of the earlier ones. */
  issuedSoFar(): readonly IssuedInEpoch[];
  /** When the last access token of this epoch expires, in ms of the sandbox clock; 0 before the first. */
  readonly access_until: number;
  openLineage(about: LineageOrder): Lineage;
  /** Writes down what the exchange of a code has decided. */
  decideLineage(lineage: Lineage, audience: string, scope: string): void;
  issueCode(lineage: Lineage, order: CodeOrder): Promise<CodeRecord>;
  issueRefreshToken(lineage: Lineage, exchange: number | null): Promise<RefreshTokenRecord>;
  /** Gives a refresh token that was used more time, where unused ones expire. */
  renew(token: RefreshTokenRecord): Promise<void>;
  issueAccessToken(order: AccessTokenOrder): Promise<AccessTokenRecord & { value: string }>;
  /** Starts a new epoch and forgets every number. */
  reset(): void;
}

const ALPHABET = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_';

/** base64url without padding. */
export function encodeRandom(bytes: Uint8Array): string {
  const codes: number[] = [];
  const write = (six: number) => codes.push(ALPHABET.charCodeAt(six & 63));
  for (let index = 0; index < bytes.length; index += 3) {
    const [a = 0, b, c] = bytes.subarray(index, index + 3);
    write(a >> 2);
    write((a << 4) | ((b ?? 0) >> 4));
    if (b !== undefined) write((b << 2) | ((c ?? 0) >> 6));
    if (c !== undefined) write(c);
  }
  // In one piece: a string put together bit by bit stays a rope of 700 bytes for each credential.
  return String.fromCharCode(...codes);
}

/** Seconds that an access token lives: the code's order, else the client's, else the workspace's. */
function lifetimeOf(order: AccessTokenOrder, settings: Settings): number {
  return (
    order.expires_in ?? order.client.access_token_expires_in ?? settings.lifetimes.access_token
  );
}

export function createIssuer(
  ports: Ports,
  registry: Registry,
  keyring: Keyring,
  settings: () => Settings,
  issuer: () => string,
): Issuer {
  const { clock, random, stores, emit } = ports;
  let epoch = encodeRandom(random(6));
  let kept: readonly KeptEpoch[] = [];
  let accessUntil = 0;
  let lineages = 0;
  let credentials = 0;
  let ownAudience = '';

  /** The members every credential has; counts it in its lineage. */
  const base = (
    lineage: Lineage,
    now: number,
    until: number,
    exchange: number | null,
    texts: readonly (string | null)[] = [],
  ) => ({
    seq: ++credentials,
    n: ++lineage.count,
    lineage,
    bytes: credentialBytes(lineage, texts),
    issued_at: now,
    expires_at: until,
    issued_by: exchange,
    ended_at: null,
    ended_by: null,
  });

  /** A text that all tokens for this audience share: of the registry, or the issuer's own. */
  const sharedAudience = (uri: string): string => {
    const registered = registry.audiences.get(uri);
    if (registered !== undefined) return registered.uri;
    if (ownAudience !== uri) ownAudience = keptText(uri);
    return ownAudience;
  };

  /** Whether no reset came between: what was in flight then leaves nothing behind. */
  const isCurrent = (lineage: Lineage) => lineage.epoch === epoch;

  /** When a refresh token issued or used now expires: unused, or with its authorization. */
  const refreshEnd = (lineage: Lineage, now: number): number => {
    const { refresh_token, refresh_token_idle } = settings().lifetimes;
    if (lineage.refresh_until === 0) {
      const own = registry.clients.get(lineage.client_id)?.refresh_token_expires_in;
      lineage.refresh_until = now + (own ?? refresh_token) * 1000;
    }
    const idle = refresh_token_idle === null ? Infinity : now + refresh_token_idle * 1000;
    return Math.min(lineage.refresh_until, idle);
  };

  const claimsOf = (
    order: AccessTokenOrder,
    format: AccessTokenFormat,
    id: string,
    iat: number,
    exp: number,
  ): Record<string, unknown> => {
    const { client, lineage, audience, scope } = order;
    const { user_sub } = lineage;
    const sub = subOf(lineage);
    const { client_id } = client;
    const claims: Record<string, unknown> =
      format === 'auth0'
        ? { iss: issuer(), sub, aud: audience, azp: client_id, iat, exp, sid: id }
        : { iss: issuer(), sub, aud: audience, client_id, iat, exp, jti: id };
    if (scope !== '') claims['scope'] = scope;
    const user = user_sub === null ? undefined : registry.users.get(user_sub);
    return Object.assign(claims, client.claims, user?.claims);
  };

  const write = (
    order: AccessTokenOrder,
    format: AccessTokenFormat,
    id: string,
    iat: number,
    exp: number,
  ) => {
    if (format === 'opaque') return encodeRandom(random(32));
    const claims = claimsOf(order, format, id, iat, exp);
    return keyring.sign(claims, format === 'auth0' ? 'JWT' : 'at+jwt', settings().signing_alg);
  };

  return {
    get epoch() {
      return epoch;
    },
    recognises: (other) => other === epoch || kept.some((former) => former.epoch === other),
    keepEpochs: (epochs) => {
      kept = epochs;
    },
    issuedSoFar: () => [
      ...kept.map((former) => ({ ...former, lineages: null })),
      { epoch, until: accessUntil, lineages },
    ],
    get access_until() {
      return accessUntil;
    },
    openLineage: ({ client, user_sub, audience, scope }) => ({
      id: formatLineageId({ number: ++lineages, of_user: user_sub !== null }),
      epoch,
      client_id: client.client_id,
      registration: registry.registrationOf(client),
      user_sub,
      audience: audience === null ? null : sharedAudience(audience),
      scope: keptText(scope),
      created_at: clock.now(),
      refresh_until: 0,
      access_until: 0,
      revoked_at: null,
      count: 0,
      newest: null,
      others: null,
      exchanges: null,
    }),
    decideLineage: (lineage, audience, scope) => {
      lineage.audience = sharedAudience(audience);
      if (scope !== lineage.scope) lineage.scope = keptText(scope);
    },
    issueCode: async (lineage, { expires_in, exchange, ...given }) => {
      const now = clock.now();
      const client = registry.clients.get(lineage.client_id);
      const order = keptOrder(given, client?.redirect_uris ?? []);
      const { redirect_uri, asked_scope, code_challenge, nonce } = order;
      const texts = [redirect_uri, asked_scope, code_challenge, nonce];
      const code: CodeRecord = {
        kind: 'code',
        value: encodeRandom(random(32)),
        state: 'issued',
        queue_index: -1,
        ...base(lineage, now, now + expires_in * 1000, exchange, texts),
        ...order,
      };
      await stores.insertCode(code, now);
      emit({ type: 'credentials' });
      return code;
    },
    issueRefreshToken: async (lineage, exchange) => {
      const now = clock.now();
      const until = refreshEnd(lineage, now);
      const token: RefreshTokenRecord = {
        kind: 'refresh_token',
        value: encodeRandom(random(32)),
        state: 'active',
        queue_index: -1,
        ...base(lineage, now, until, exchange),
      };
      if (isCurrent(lineage)) await stores.insertRefreshToken(token, now);
      emit({ type: 'credentials' });
      return token;
    },
    renew: async (token) => {
      await stores.extendRefreshToken(token, refreshEnd(token.lineage, clock.now()));
    },
    issueAccessToken: async (order) => {
      const seconds = lifetimeOf(order, settings());
      // iat and exp are whole seconds, and the record expires when the token says so.
      const iat = Math.floor(clock.now() / 1000);
      const members = base(order.lineage, iat * 1000, (iat + seconds) * 1000, order.exchange);
      const { epoch: of, id } = order.lineage;
      const jti = formatAccessTokenId({ epoch: of, lineage: id, n: members.n });
      const format = order.client.access_token_format ?? settings().access_token_format;
      const value = await write(order, format, jti, iat, iat + seconds);
      const token = {
        kind: 'access_token' as const,
        value,
        format,
        audience: sharedAudience(order.audience),
        scope: order.scope === order.lineage.scope ? order.lineage.scope : keptText(order.scope),
        state: revokedAt(order.lineage) === null ? ('active' as const) : ('revoked' as const),
        ...members,
      };
      if (isCurrent(order.lineage)) {
        stores.recordAccessToken(token);
        accessUntil = Math.max(accessUntil, token.expires_at);
      }
      emit({ type: 'credentials' });
      return token;
    },
    reset: () => {
      epoch = encodeRandom(random(6));
      kept = [];
      accessUntil = 0;
      lineages = 0;
      credentials = 0;
    },
  };
}
