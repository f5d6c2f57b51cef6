// Applies edits to a response (docs/reference/faults.md). Loaded when a rule has edits.

import { decodeJwt, decodeProtectedHeader } from 'jose';
import { editJson, editParameters } from '../../core/faults/apply-edits.ts';
import { secondsOf } from '../../core/model/clock.ts';
import type { Edit } from '../../core/records/edit.ts';
import type { TokenMistake } from '../../core/records/token-mistakes.ts';
import type { Fault } from '../../core/records/schemas.ts';
import type { TokenService } from '../../core/service.ts';
import { signerFor, withAlteredSignature } from '../../core/test-tokens.ts';
import type { PendingExchange } from '../pending-exchange.ts';
import type { Answer } from '../reply.ts';

type Effect<K extends Fault['effect']['kind']> = Extract<Fault['effect'], { kind: K }>;
export type JwtEdits = Pick<Effect<'edit_id_token'>, 'claims' | 'header' | 'sign'>;
type Members = Record<string, unknown>;

const OK = 200;

/** A successful JSON response after the edits; null for another response, or when they change nothing. */
function editMembers(members: Members, edits: readonly Edit[], service: TokenService) {
  const edited = editJson(members, edits, secondsOf(service.ports.clock));
  return JSON.stringify(edited) === JSON.stringify(members) ? null : edited;
}

const SIGNER: Readonly<Partial<Record<Effect<'edit_id_token'>['sign'], TokenMistake>>> = {
  unpublished_key: 'unpublished_key',
  none: 'alg_none',
  hs256_public_key: 'hs256_public_key',
};

type Sign = (header: Members, payload: string) => Promise<string>;

/** The members of the header that follow from the key, and the signature; null where the client has no secret. */
async function signing(
  { sign }: JwtEdits,
  header: Members,
  client_id: string,
  service: TokenService,
): Promise<{ readonly header: Members; readonly sign: Sign } | null> {
  const { registry, ports } = service;
  const shared = sign === 'hs256_client_secret' || (header['alg'] === 'HS256' && !SIGNER[sign]);
  if (!shared) {
    const mistake = SIGNER[sign];
    return signerFor(service, new Set(mistake === undefined ? [] : [mistake]));
  }
  const secret = registry.clients.get(client_id)?.client_secret ?? null;
  if (secret === null) return null;
  const k = Buffer.from(secret).toString('base64url');
  return {
    // The kid would name a published key.
    header: { alg: 'HS256', kid: undefined },
    sign: ports.createSigner({ kty: 'oct', alg: 'HS256', k }),
  };
}

/** A token under the effect, signed anew; null where it would need a secret that the client does not have. */
export async function editJwt(
  effect: JwtEdits,
  token: string,
  client_id: string,
  service: TokenService,
): Promise<string | null> {
  const [head, payload]: [Members, Members] = [decodeProtectedHeader(token), decodeJwt(token)];
  const signer = await signing(effect, head, client_id, service);
  if (signer === null) return null;
  const now = secondsOf(service.ports.clock);
  const header = editJson({ ...head, ...signer.header }, effect.header, now) as Members;
  const claims = editJson(payload, effect.claims, now);
  const signed = await signer.sign(header, JSON.stringify(claims));
  return effect.sign === 'altered' ? withAlteredSignature(signed) : signed;
}

/** The members with the ID token edited and signed again; null without an ID token, or a key for it. */
export async function editIdToken(
  effect: JwtEdits,
  members: Members,
  pending: PendingExchange,
  service: TokenService,
): Promise<Members | null> {
  const { id_token } = members;
  if (typeof id_token !== 'string') return null;
  const { client_id } = pending.evaluation ?? {};
  const edited = await editJwt(effect, id_token, client_id ?? '', service);
  return edited === null ? null : { ...members, id_token: edited };
}

/** The response under the effect; null if it has nothing that the effect could change. @param members of its body */
export async function editBody(
  effect: Effect<'edit_json' | 'edit_id_token'>,
  normal: Answer,
  members: Members,
  pending: PendingExchange,
  service: TokenService,
): Promise<Answer | null> {
  if (normal.status !== OK) return null;
  const edited =
    effect.kind === 'edit_json'
      ? editMembers(members, effect.edits, service)
      : await editIdToken(effect, members, pending, service);
  return edited === null ? null : { ...normal, body: JSON.stringify(edited) };
}

/** The authorization response after the edits, in its response_mode; null where none is sent or nothing changes. */
export async function editAuthorizationResponse(
  { edits }: Effect<'edit_authorization_response'>,
  { authorization }: Answer,
  service: TokenService,
): Promise<Answer | null> {
  if (authorization === undefined) return null;
  const { parameters, send } = authorization;
  const edited = editParameters(parameters, edits, secondsOf(service.ports.clock));
  return JSON.stringify(edited) === JSON.stringify(parameters) ? null : send(edited);
}
