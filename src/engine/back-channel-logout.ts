// Tells apps on this machine that a user has signed out (OpenID Connect Back-Channel Logout 1.0). Each delivery is an
// exchange that this server sent. Requests go through provider/, which allows no other machine.

import type { SessionClient } from '../core/authorization/sessions.ts';
import { OAuthError } from '../core/checks/errors.ts';
import { issuingNow } from '../core/model/domain.ts';
import { signLogoutToken } from '../core/issuing/logout-token.ts';
import type { Client } from '../core/records/schemas.ts';
import type { CapturedExchange } from '../server/capture.ts';
import { editJwt, type JwtEdits } from '../server/faults/edit-response.ts';
import { createPendingExchange } from '../server/pending-exchange.ts';
import type { EngineParts } from './parts.ts';
import { appUrl } from './provider/documents.ts';
import { ProviderError } from './provider/provider-error.ts';
import { bodyOf, requestOf } from './provider/provider-request.ts';

/** Deliveries that are sent at once; others wait. */
const MOST_AT_ONCE = 8;
/** Deliveries after logouts in browsers that are sent or wait; further ones are skipped. */
const MOST_PENDING = 400;
const TIMEOUT_MS = 5000;
/** Of the response of the app. */
const MOST_BYTES = 16_384;

/** Whether the app did what the token says (Back-Channel Logout 2.8). */
export const isAccepted = (status: number): boolean => status === 200 || status === 204;

export interface Delivery {
  readonly client_id: string;
  readonly exchange: CapturedExchange;
  /** Why the app did not respond; null when it did. */
  readonly problem: string | null;
}

export type BackChannelLogout = ReturnType<typeof createBackChannelLogout>;

/** Runs at most so many at once, the others in their order. */
function createTurns(most: number) {
  const waiting: (() => void)[] = [];
  let running = 0;
  return async <T>(run: () => Promise<T>): Promise<T> => {
    if (running >= most) await new Promise<void>((go) => waiting.push(go));
    else running += 1;
    try {
      return await run();
    } finally {
      const next = waiting.shift();
      if (next === undefined) running -= 1;
      else next();
    }
  };
}

const HEADERS = { 'Content-Type': 'application/x-www-form-urlencoded', Accept: '*/*' };

export function createBackChannelLogout(parts: EngineParts) {
  const { service, closing, ownPorts, ownStates, exchanges } = parts;
  const { capture } = exchanges;
  const inTurn = createTurns(MOST_AT_ONCE);
  /** Deliveries after logouts in browsers that have not ended. */
  let pendingCount = 0;

  const post = async (client_id: string, target: string, body: Buffer): Promise<Delivery> => {
    const stopwatch = () => performance.now();
    const pending = createPendingExchange(null, '127.0.0.1', {
      service,
      capture,
      stopwatch,
      ownStates,
    });
    const sent = {
      ...pending,
      method: 'POST',
      target,
      sent_by: 'server' as const,
      request_headers: Object.entries(HEADERS).flat(),
      request_body: body,
      request_bytes: body.length,
      claimed: { client_id, grant_type: null },
    };
    const answer = await answerOf(target, body).catch((error: unknown) => {
      if (error instanceof ProviderError) return { problem: error.plain };
      if (closing.aborted) return { problem: 'The sandbox closed.' };
      throw error;
    });
    const duration_ms = stopwatch() - pending.started;
    const exchange: CapturedExchange = { ...sent, ...answer, duration_ms };
    capture.add(exchange);
    return { client_id, exchange, problem: exchange.problem ?? null };
  };
  const answerOf = async (target: string, body: Buffer) => {
    const url = appUrl(target, ownPorts());
    const connecting = { named: [], timeout_ms: TIMEOUT_MS, cancelled: closing };
    return requestOf(
      url,
      { method: 'POST', headers: HEADERS, body },
      connecting,
      async (answer) => ({
        status: answer.statusCode ?? 0,
        response_headers: answer.rawHeaders,
        response_body: (await bodyOf(url, answer, MOST_BYTES)).toString(),
      }),
    );
  };
  const send = async (client: Client, sub: string, sid: string | null, wrong: JwtEdits | null) => {
    const { client_id, backchannel_logout_uri: uri = '' } = client;
    const right = await signLogoutToken(issuingNow(service), client, sub, sid);
    const token = wrong === null ? right : await editJwt(wrong, right, client_id, service);
    if (token === null) return null;
    const body = Buffer.from(new URLSearchParams({ logout_token: token }).toString());
    return inTurn(() => post(client_id, uri, body));
  };
  return {
    /** The clients that receive logout tokens: those with a `backchannel_logout_uri`. */
    clients: () =>
      service.registry.clients
        .list()
        .filter(({ backchannel_logout_uri: uri }) => uri !== undefined),
    /**
     * Sends a logout token to a client.
     * @param sid the session that has ended; null for all sessions of the user
     * @param wrong what is wrong with the token; null for a valid one
     * @returns null if the token cannot be made wrong in this way
     * @throws OAuthError if it cannot be signed
     */
    send,
    /** Sends logout tokens after a logout in a browser. Skips those beyond the bound, and those that cannot be signed. */
    notify: async (sub: string, clients: readonly SessionClient[]): Promise<void> => {
      const sent = clients.map(async ({ client_id, sid }) => {
        const client = service.registry.clients.get(client_id);
        if (client?.backchannel_logout_uri === undefined) return;
        if (pendingCount >= MOST_PENDING) return;
        pendingCount += 1;
        try {
          await send(client, sub, sid, null);
        } catch (error) {
          if (!(error instanceof OAuthError)) throw error;
        } finally {
          pendingCount -= 1;
        }
      });
      await Promise.all(sent);
    },
    /** Sends the same token again. */
    resend: ({ target, request_body, claimed }: CapturedExchange) =>
      inTurn(() => post(claimed?.client_id ?? '', target, request_body)),
  };
}
