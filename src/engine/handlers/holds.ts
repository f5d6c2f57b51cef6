// Held exchanges: sessions that hold them, and decisions about them.

import type { Held as HeldView, HeldDetail, HoldEvent } from '../../control/schemas.ts';
import { REFUSALS, type RefusalReason } from '../../core/checks/refusals/index.ts';
import type { ResponseEdits } from '../../core/records/hold.ts';
import { HOLD_BOUNDS } from '../../core/records/bounds.ts';
import { parseJsonObject } from '../../json.ts';
import { enumerated } from '../../words.ts';
import { claimedBy } from '../../server/faults/injector.ts';
import { editHeld, NothingToEdit, refusalFor } from '../../server/faults/held-response.ts';
import {
  type Decision,
  type Held,
  type HoldSession,
  UNCHANGED,
} from '../../server/faults/held-exchanges.ts';
import type { Answer } from '../../server/reply.ts';
import { exchangeView } from '../exchanges/exchange-view.ts';
import type { EngineParts } from '../parts.ts';
import { secondsUntil, timeText } from '../format.ts';
import { conflict, invalidField, notFound } from './control-error.ts';
import { contextOf, forecastHeld } from './evaluate-request.ts';
import { os } from './implementer.ts';

function claimsOfIdToken(held: Held): Record<string, unknown> | null {
  const { body = '', authorization } = held.answer ?? {};
  const members = authorization && Object.fromEntries(authorization.parameters);
  const token = (members ?? parseJsonObject(body))?.['id_token'];
  const [, payload] = typeof token === 'string' ? token.split('.') : [];
  if (payload === undefined) return null;
  return parseJsonObject(Buffer.from(payload, 'base64url').toString());
}

const ISSUED_WORDS = {
  code: 'an authorization code',
  access_token: 'an access token',
  refresh_token: 'a refresh token',
  id_token: 'an ID token',
} as const;

/** What the evaluation of an exchange has consumed, issued and revoked. */
function consequenceOf({ pending: { evaluation }, answer }: Held): string | null {
  if (answer === null || evaluation === null) return null;
  const { credential, lineage, refusal } = evaluation;
  const issued = evaluation.issued.map(({ kind }) => ISSUED_WORDS[kind]);
  const changes = [
    ...(refusal === null && credential?.state === 'redeemed' ? ['The code was redeemed.'] : []),
    ...(refusal === null && credential?.state === 'rotated'
      ? ['The refresh token was rotated.']
      : []),
    ...(issued.length === 0 ? [] : [`Issued: ${enumerated(issued)}.`]),
    ...(refusal !== null && lineage !== null && lineage.revoked_at !== null
      ? ['All tokens of this authorization are revoked.']
      : []),
  ];
  return changes.length === 0 ? null : `${changes.join(' ')} No edit of the response undoes that.`;
}

/** Sends what the session holds, now and at each change. */
async function* follow(
  session: HoldSession,
  view: (held: Held) => HeldView,
  signal: AbortSignal | undefined,
): AsyncGenerator<HoldEvent, void, void> {
  const { end } = session;
  try {
    for (;;) {
      const changed = session.changed();
      yield { held: session.held().map(view) };
      if (session.isOver()) return;
      await changed;
    }
  } finally {
    signal?.removeEventListener('abort', end);
    end();
  }
}

const isRefusal = (reason: string): reason is RefusalReason => Object.hasOwn(REFUSALS, reason);

/** What the edits change, for the exchange. */
function editedNames(edits: ResponseEdits): string[] {
  const { status, headers, members, claims, jose_header, sign } = edits;
  const named = [
    ...(status === undefined ? [] : ['status']),
    ...headers.map(([name]) => name),
    ...[...members, ...claims, ...jose_header].map(({ member }) => member),
    ...(sign === 'published_key' ? [] : ['signature']),
  ];
  return [...new Set(named)];
}

/** Returns a held exchange as the control API has it. */
function viewOf(held: Held, { redaction, service }: EngineParts): HeldView {
  const { pending, target } = held;
  return {
    number: pending.number,
    at: held.at,
    method: pending.method,
    path: redaction.targetOf(pending),
    ip: pending.ip,
    ...claimedBy(target, service),
    endpoint: pending.endpoint,
    held_at: timeText(held.since),
    seconds_left: secondsUntil(held.ends_at),
    client_gone: held.gone,
  };
}

export function holdHandlers(parts: EngineParts) {
  const { service, holds, redaction, exchanges } = parts;
  const options = { ...contextOf(parts), version: '', workbenchUrl: () => null };
  const view = (held: Held) => viewOf(held, parts);
  const gone = (number: number) => conflict(`exchange ${number} is no longer held`, 'number');
  const find = (number: number): Held => {
    const held = holds.list().find(({ pending }) => pending.number === number);
    if (held !== undefined) return held;
    throw number <= exchanges.capture.last ? gone(number) : notFound('exchange', number);
  };
  const decide = (held: Held, decision: Decision, step: boolean) => {
    // Someone else may have decided while the response was made.
    if (!holds.decide(held, decision, step)) throw gone(held.pending.number);
  };
  const edited = async (held: Held, edits: ResponseEdits): Promise<Answer> => {
    if (held.answer === null) {
      throw invalidField('response', 'must be absent: there is no response yet; see hold_response');
    }
    try {
      return await editHeld(held.answer, edits, held, service);
    } catch (error) {
      if (error instanceof NothingToEdit) {
        throw invalidField(`response.${error.member}`, error.message);
      }
      throw error;
    }
  };
  const detail = async (held: Held): Promise<HeldDetail> => {
    const { pending, answer } = held;
    const { status = 0, headers = [], body = '', error = null } = answer ?? {};
    const sent = { status, response_headers: headers, response_body: body, error };
    return {
      ...view(held),
      exchange: exchangeView({ ...pending, ...sent }, service, redaction),
      forecast: answer === null ? await forecastHeld(pending, parts) : null,
      id_token_claims: claimsOfIdToken(held),
      consequence: consequenceOf(held),
    };
  };
  return {
    list: os.holds.list.handler(() => ({ items: holds.list().map(view), next: null })),
    start: os.holds.start.handler(({ input, signal }) => {
      const session = holds.start(input);
      if (session === null) {
        throw conflict(`there can be at most ${HOLD_BOUNDS.rules} rules that hold exchanges`);
      }
      signal?.addEventListener('abort', session.end);
      if (signal?.aborted === true) session.end();
      return follow(session, view, signal);
    }),
    forecast: os.holds.forecast.handler(async ({ input: { number, request } }) => {
      const held = find(number);
      if (held.answer !== null) throw conflict('the request was evaluated', 'number');
      checkRequestEdits(held, request);
      return { forecast: await forecastHeld(held.pending, parts, request) };
    }),
    get: os.holds.get.handler(({ input }) => detail(find(input.number))),
    release: os.holds.release.handler(async ({ input }) => {
      const { number, request, response, hold_response, step } = input;
      const held = find(number);
      if (held.answer !== null && (request.length > 0 || hold_response)) {
        const field = hold_response ? 'hold_response' : 'request';
        throw invalidField(field, 'must be absent: the request was evaluated');
      }
      checkRequestEdits(held, request);
      const answer = response === undefined ? null : await edited(held, response);
      const names = [
        ...new Set(request.map(({ member }) => member)),
        ...(response === undefined ? [] : editedNames(response)),
      ];
      const decision = { request, response: answer, hold_response, edited: names };
      decide(held, { kind: 'release', ...decision }, step);
    }),
    releaseAll: os.holds.releaseAll.handler(() => {
      for (const held of holds.list()) holds.decide(held, UNCHANGED, false);
    }),
    answer: os.holds.answer.handler(async ({ input: { number, reason, step } }) => {
      const held = find(number);
      const answer = isRefusal(reason) ? await refusalFor(reason, held, options) : null;
      if (answer === null) {
        throw invalidField(
          'reason',
          'must be a refusal that this endpoint returns to such a request: see GET /refusals',
        );
      }
      decide(held, { kind: 'answer', answer, reason }, step);
    }),
    drop: os.holds.drop.handler(({ input: { number, step } }) => {
      decide(find(number), { kind: 'drop' }, step);
    }),
  };
}

/** @throws ORPCError if the body is neither a form nor a JSON object */
function checkRequestEdits({ pending, headers }: Held, edits: readonly unknown[]): void {
  const type = (headers['content-type'] ?? '').split(';', 1)[0]?.trim().toLowerCase() ?? '';
  const readable =
    pending.request_body.length === 0 ||
    type === 'application/x-www-form-urlencoded' ||
    parseJsonObject(pending.request_body.toString()) !== null;
  if (edits.length > 0 && !readable) {
    throw invalidField('request', 'must be empty: the body is neither a form nor a JSON object');
  }
}
