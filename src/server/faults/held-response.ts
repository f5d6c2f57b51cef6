// Responses to send instead of a held one: the held one with edits, or that for a chosen refusal. Edits are those of
// fault rules (behaviour 8.7).

import { editJson, editParameters } from '../../core/faults/apply-edits.ts';
import { accessTokenHash, codeHash } from '../../core/issuing/id-token.ts';
import { GeneralRefusal, PLACES, type PlaceOfRefusal } from '../../core/checks/refusals/places.ts';
import type { RefusalReason } from '../../core/checks/refusals/index.ts';
import { secondsOf } from '../../core/model/clock.ts';
import { BODILESS } from '../../core/records/fault.ts';
import type { Edit } from '../../core/records/edit.ts';
import type { ResponseEdits } from '../../core/records/hold.ts';
import type { TokenService } from '../../core/service.ts';
import { type JsonObject, parseJsonObject } from '../../json.ts';
import { respond } from '../dispatch.ts';
import { evaluationOf } from '../pending-exchange.ts';
import type { Answer } from '../reply.ts';
import { createRoutes, type RoutesOptions } from '../routes.ts';
import { headerPairs } from '../sender.ts';
import { editIdToken } from './edit-response.ts';
import { claimedBy } from './injector.ts';
import type { Held } from './held-exchanges.ts';
import { membersOf } from './mutate.ts';

/** The response has nothing that this member of the edits could change. */
export class NothingToEdit extends Error {
  readonly member: keyof ResponseEdits;

  constructor(member: keyof ResponseEdits, message: string) {
    super(message);
    this.member = member;
  }
}

type Named = ResponseEdits['headers'];

function withHeaders(headers: readonly string[], changed: Named): readonly string[] {
  const names = new Set(changed.map(([name]) => name.toLowerCase()));
  const kept = headerPairs(headers).filter(([name]) => !names.has(name.toLowerCase()));
  return [...kept, ...changed].flat();
}

const editsIdToken = ({ claims, jose_header, sign }: ResponseEdits): boolean =>
  claims.length > 0 || jose_header.length > 0 || sign !== 'published_key';

/** The hashes in the ID token of what was edited beside it (OpenID Connect Core 3.1.3.6, 3.3.2.11). */
function hashEdits(
  members: JsonObject,
  former: JsonObject,
  { ports, settings }: TokenService,
): Edit[] {
  const { signing_alg } = settings();
  const changed = (name: string) => {
    const value = members[name];
    return typeof value === 'string' && value !== former[name] ? value : null;
  };
  const [token, code] = [changed('access_token'), changed('code')];
  const at_hash = token === null ? null : accessTokenHash(token, signing_alg, ports.sha256);
  const c_hash = code === null ? null : codeHash(code, signing_alg, ports);
  return Object.entries({ at_hash, c_hash }).flatMap(([member, value]) =>
    value === null ? [] : [{ member, do: 'set' as const, value }],
  );
}

/** @param former the members before the edits */
async function withIdToken(
  members: JsonObject,
  former: JsonObject,
  edits: ResponseEdits,
  held: Held,
  service: TokenService,
): Promise<JsonObject> {
  const { claims, jose_header: header, sign, keep_hashes } = edits;
  const hashes =
    keep_hashes || members['id_token'] === undefined ? [] : hashEdits(members, former, service);
  if (hashes.length === 0 && !editsIdToken(edits)) return members;
  const effect = { kind: 'edit_id_token' as const, claims: [...hashes, ...claims], header, sign };
  const edited = await editIdToken(effect, members, held.pending, service);
  if (edited !== null) return edited;
  throw new NothingToEdit(
    'claims',
    'must be empty: the response has no ID token that can be signed',
  );
}

async function withMembers(
  answer: Answer,
  edits: ResponseEdits,
  held: Held,
  service: TokenService,
): Promise<Answer> {
  const now = secondsOf(service.ports.clock);
  if (answer.authorization !== undefined) {
    const { parameters, send } = answer.authorization;
    const pairs = editParameters(parameters, edits.members, now);
    const [members, former] = [Object.fromEntries(pairs), Object.fromEntries(parameters)];
    const { id_token } = await withIdToken(members, former, edits, held, service);
    return send(
      pairs.map((pair) => (pair[0] === 'id_token' ? ['id_token', String(id_token)] : pair)),
    );
  }
  const former = membersOf(answer);
  if (former === null) {
    throw new NothingToEdit('members', 'must be empty: the response is not a JSON object');
  }
  const edited = editJson(former, edits.members, now) as JsonObject;
  const members = await withIdToken(edited, former, edits, held, service);
  return { ...answer, body: JSON.stringify(members) };
}

/** Returns the held response with the edits. @throws NothingToEdit */
export async function editHeld(
  answer: Answer,
  edits: ResponseEdits,
  held: Held,
  service: TokenService,
): Promise<Answer> {
  const changed =
    edits.members.length > 0 || editsIdToken(edits)
      ? await withMembers(answer, edits, held, service)
      : answer;
  const status = edits.status ?? changed.status;
  const body = BODILESS.includes(status) ? '' : changed.body;
  const error = parseJsonObject(body)?.['error'];
  return {
    ...changed,
    status,
    headers: withHeaders(changed.headers, edits.headers),
    body,
    error:
      typeof error === 'string'
        ? error
        : changed.authorization === undefined
          ? null
          : changed.error,
  };
}

type Delivery = PlaceOfRefusal['delivery'];

/**
 * Returns how the endpoint responds with the refusal; undefined if it cannot. Only the request of a link can be
 * redirected: a form does not have its parameters.
 */
function deliveryOf(
  reason: RefusalReason,
  { destination: { route }, pending: { method } }: Held,
): Delivery | undefined {
  const deliveries = PLACES[reason]
    .filter(({ endpoint }) => endpoint === (route?.endpoint ?? null))
    .map(({ delivery }) => delivery);
  const possible: readonly Delivery[] =
    method === 'GET' ? ['json', 'redirect', 'page'] : ['json', 'page'];
  return possible.find((delivery) => deliveries.includes(delivery));
}

/** The service whose endpoints reject every request for one reason. */
function rejecting(service: TokenService, reason: RefusalReason, delivery: Delivery): TokenService {
  const refusal = new GeneralRefusal(reason);
  const reject = () => {
    throw refusal;
  };
  const { userAuthorization } = service;
  const evaluate: TokenService['userAuthorization']['evaluate'] =
    delivery === 'redirect'
      ? (request, _visitor, evaluation) => userAuthorization.reject(request, refusal, evaluation)
      : reject;
  return {
    ...service,
    token: reject,
    authorizeDevice: reject,
    revoke: reject,
    introspect: reject,
    userinfo: reject,
    callApi: reject,
    userAuthorization: { ...userAuthorization, evaluate, decide: reject, push: reject },
  };
}

/** Returns the response of the endpoint for a refusal; null if the refusal cannot occur there. Nothing is evaluated. */
export async function refusalFor(
  reason: RefusalReason,
  held: Held,
  options: RoutesOptions,
): Promise<Answer | null> {
  const { pending, destination, headers, target } = held;
  const { service } = options;
  const delivery = deliveryOf(reason, held);
  if (destination.route === undefined || delivery === undefined) return null;
  const unevaluated = { ...pending, evaluation: null, request_body: Buffer.from('grant_type=') };
  evaluationOf(unevaluated).grant_type = claimedBy(target, service).grant_type;
  const routes = createRoutes({ ...options, service: rejecting(service, reason, delivery) });
  const [path = ''] = pending.target.split('?', 1);
  // A request that can be read, so that nothing else is rejected before.
  const { 'content-encoding': _encoding, ...others } = headers;
  const form = { ...others, 'content-type': 'application/x-www-form-urlencoded' };
  const route = routes.find(destination.path, path);
  const query = delivery === 'redirect' ? destination.query : '';
  const answer = await respond(route, unevaluated, form, query, service);
  if (delivery === 'redirect') return answer.authorization === undefined ? null : answer;
  const { window_seconds, retry_after_header } = service.settings().throttle;
  if (reason !== 'throttled' || !retry_after_header) return answer;
  return { ...answer, headers: [...answer.headers, 'Retry-After', String(window_seconds)] };
}
