// The response that a fault sends: a scripted one, or the normal one with a change.

import { parseJsonObject, type JsonObject } from '../../json.ts';
import type { Fault } from '../../core/records/schemas.ts';
import type { TokenService } from '../../core/service.ts';
import type { Keyring } from '../../core/issuing/keyring.ts';
import { accessTokenHash } from '../../core/issuing/id-token.ts';
import { secondsOf } from '../../core/model/clock.ts';
import type { PendingExchange } from '../pending-exchange.ts';
import { type Answer, NO_ANSWER } from '../reply.ts';
import { headerIn, headerPairs } from '../sender.ts';

type Effect<K extends Fault['effect']['kind']> = Extract<Fault['effect'], { kind: K }>;

/** The answer as the rule has it, but for the marks that every answer carries. */
export function scripted({ status, headers, body }: Effect<'answer'>): Answer {
  const error = parseJsonObject(body)?.['error'];
  return { status, headers: headers.flat(), body, error: typeof error === 'string' ? error : null };
}

function sentAs(answer: Answer, content_type: string): Answer {
  const headers = headerPairs(answer.headers).flatMap(([name, value]) => [
    name,
    name.toLowerCase() === 'content-type' ? content_type : value,
  ]);
  return { ...answer, headers };
}

/** The members of a JSON body; null for another one. */
export function membersOf({ headers, body }: Answer): JsonObject | null {
  const type = headerIn(headers, 'content-type') ?? '';
  return type.startsWith('application/json') ? parseJsonObject(body) : null;
}

const BENT = { negative: -1, huge: 9_999_999_999_999 } as const;

function mutateExpiresIn(members: JsonObject, as: Effect<'expires_in'>['as']): JsonObject | null {
  const { expires_in, ...others } = members;
  if (expires_in === undefined) return null;
  if (as === 'absent') return others;
  return { ...members, expires_in: as === 'string' ? JSON.stringify(expires_in) : BENT[as] };
}

interface Jwt {
  readonly typ: string;
  readonly claims: JsonObject;
  /** Without `kid`, it is signed with the client's secret. */
  readonly shared: boolean;
}

function readJwt(token: unknown): Jwt | null {
  if (typeof token !== 'string') return null;
  const [header, claims] = token
    .split('.')
    .slice(0, 2)
    .map((part) => parseJsonObject(Buffer.from(part, 'base64url').toString()));
  if (!header || !claims) return null;
  return { typ: String(header['typ']), claims, shared: !('kid' in header) };
}

/** The same `at_hash` rule for the access token that is sent now: only what the fault is about is wrong. */
function withAtHash(
  { claims, ...jwt }: Jwt,
  access_token: unknown,
  { ports, settings }: TokenService,
) {
  if (!('at_hash' in claims) || typeof access_token !== 'string') return { ...jwt, claims };
  const at_hash = accessTokenHash(access_token, settings().signing_alg, ports.sha256);
  return { ...jwt, claims: at_hash === null ? claims : { ...claims, at_hash } };
}

/** Signs every token anew that is a JWT; null when there is none. */
async function resign(
  members: JsonObject,
  service: TokenService,
  sign: (jwt: Jwt) => Promise<string>,
): Promise<JsonObject | null> {
  const access = readJwt(members['access_token']);
  const id = readJwt(members['id_token']);
  if (access === null && id === null) return null;
  const access_token = access === null ? members['access_token'] : await sign(access);
  const issued = access === null ? members : { ...members, access_token };
  if (id === null) return issued;
  return { ...issued, id_token: await sign(withAtHash(id, access_token, service)) };
}

/** Seconds by which an expired token has expired: more than clients allow for clocks that differ. */
const EXPIRED_FOR = 360;

/** The same life, shifted into the past. @param now in seconds */
function expired(claims: JsonObject, now: number): JsonObject {
  const exp = now - EXPIRED_FOR;
  const life = Number(claims['exp']) - Number(claims['iat']);
  return { ...claims, iat: exp - life, exp };
}

export interface MutationContext {
  readonly service: TokenService;
  /** Keys that are never published. */
  readonly unpublished: Keyring;
}

function signExpired(
  { typ, claims, shared }: Jwt,
  pending: PendingExchange,
  service: TokenService,
) {
  const { keyring, registry, ports } = service;
  const client = registry.clients.get(pending.evaluation?.client_id ?? '');
  const secret = shared ? (client?.client_secret ?? undefined) : undefined;
  const { signing_alg } = service.settings();
  return keyring.sign(expired(claims, secondsOf(ports.clock)), typ, signing_alg, secret);
}

async function mutateMembers(
  effect: Effect<'expires_in' | 'expired_token' | 'unpublished_key'>,
  members: JsonObject,
  pending: PendingExchange,
  { service, unpublished }: MutationContext,
): Promise<JsonObject | null> {
  const { signing_alg } = service.settings();
  switch (effect.kind) {
    case 'expires_in':
      return mutateExpiresIn(members, effect.as);
    case 'expired_token':
      return resign(members, service, (jwt) => signExpired(jwt, pending, service));
    case 'unpublished_key':
      return resign(members, service, ({ typ, claims }) =>
        unpublished.sign(claims, typ, signing_alg),
      );
  }
}

/** The normal response with the effect applied; null when the effect has nothing to change in it. */
export async function mutate(
  effect: Exclude<Fault['effect'], { kind: 'answer' }>,
  normal: Answer,
  pending: PendingExchange,
  context: MutationContext,
): Promise<Answer | null> {
  if (effect.kind === 'drop') return NO_ANSWER;
  if (effect.kind === 'truth') return normal;
  if (effect.kind === 'edit_authorization_response') {
    const { editAuthorizationResponse } = await import('./edit-response.ts');
    return editAuthorizationResponse(effect, normal, context.service);
  }
  if (normal.body === '' || pending.method === 'HEAD') return null;
  if (effect.kind === 'cut' || effect.kind === 'dribble') return { ...normal, delivery: effect };
  if (effect.kind === 'wrong_content_type') return sentAs(normal, effect.content_type);
  const members = membersOf(normal);
  if (members === null) return null;
  switch (effect.kind) {
    case 'broken_json':
      return { ...normal, body: normal.body.slice(0, -1) };
    case 'edit_json':
    case 'edit_id_token': {
      const { editBody } = await import('./edit-response.ts');
      return editBody(effect, normal, members, pending, context.service);
    }
    default: {
      const mutated = await mutateMembers(effect, members, pending, context);
      return mutated === null ? null : { ...normal, body: JSON.stringify(mutated) };
    }
  }
}
