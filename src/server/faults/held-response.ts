// Responses to send instead of a held one: the held one with edits, or that for a chosen refusal. Edits are those of
// fault rules (behaviour 8.7).

import { editJson } from '../../core/faults/apply-edits.ts';
import { accessTokenHash } from '../../core/issuing/id-token.ts';
import { GeneralRefusal, PLACES } from '../../core/checks/refusals/places.ts';
import type { RefusalReason } from '../../core/checks/refusals/index.ts';
import { BODILESS } from '../../core/records/fault.ts';
import type { ResponseEdits } from '../../core/records/hold.ts';
import type { TokenService } from '../../core/service.ts';
import { type JsonObject, parseJsonObject } from '../../json.ts';
import { respond } from '../dispatch.ts';
import { evaluationOf } from '../pending-exchange.ts';
import type { Answer } from '../reply.ts';
import { createRoutes, type RoutesOptions } from '../routes.ts';
import { editAuthorizationResponse, editIdToken } from './edit-response.ts';
import { claimedBy } from './injector.ts';
import type { Held } from './holds.ts';
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
  const kept = headers.filter((_, index) => {
    const name = headers[index - (index % 2)] ?? '';
    return !names.has(name.toLowerCase());
  });
  return [...kept, ...changed.flat()];
}

const editsIdToken = ({ claims, jose_header, sign }: ResponseEdits): boolean =>
  claims.length > 0 || jose_header.length > 0 || sign !== 'published_key';

async function withIdToken(
  members: JsonObject,
  former: JsonObject,
  { claims, jose_header: header, sign, keep_at_hash }: ResponseEdits,
  held: Held,
  service: TokenService,
): Promise<JsonObject> {
  const { access_token } = members;
  const isOther = typeof access_token === 'string' && access_token !== former['access_token'];
  const hash =
    isOther && !keep_at_hash
      ? accessTokenHash(access_token, service.settings().signing_alg, service.ports.sha256)
      : null;
  const at_hash = hash === null ? [] : [{ member: 'at_hash', do: 'set' as const, value: hash }];
  const effect = { kind: 'edit_id_token' as const, claims: [...at_hash, ...claims], header, sign };
  const edited = await editIdToken(effect, members, held.pending, service);
  if (edited === null) {
    throw new NothingToEdit(
      'claims',
      'must be empty: the response has no ID token that can be signed',
    );
  }
  return edited;
}

async function withMembers(
  answer: Answer,
  edits: ResponseEdits,
  held: Held,
  service: TokenService,
) {
  const now = Math.floor(service.ports.clock.now() / 1000);
  if (answer.authorization !== undefined) {
    if (editsIdToken(edits)) {
      throw new NothingToEdit('claims', 'must be empty for an authorization response');
    }
    const effect = { kind: 'edit_authorization_response' as const, edits: edits.members };
    return (await editAuthorizationResponse(effect, answer, service)) ?? answer;
  }
  const former = membersOf(answer);
  if (former === null) {
    throw new NothingToEdit('members', 'must be empty: the response is not a JSON object');
  }
  const edited = editJson(former, edits.members, now) as JsonObject;
  const hashed = edited['access_token'] !== former['access_token'] && 'id_token' in edited;
  const members =
    hashed || editsIdToken(edits)
      ? await withIdToken(edited, former, edits, held, service)
      : edited;
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

/** Whether the endpoint can respond with the refusal without a redirect to the app. */
const occursAt = (reason: RefusalReason, { destination: { route } }: Held): boolean =>
  PLACES[reason].some(
    ({ endpoint, delivery }) =>
      endpoint === (route?.endpoint ?? null) && (delivery === 'json' || delivery === 'page'),
  );

/** The service whose endpoints reject every request for one reason. */
function refusing(service: TokenService, reason: RefusalReason): TokenService {
  const refuse = () => {
    throw new GeneralRefusal(reason);
  };
  const { userAuthorization } = service;
  return {
    ...service,
    token: refuse,
    authorizeDevice: refuse,
    revoke: refuse,
    introspect: refuse,
    userinfo: refuse,
    callApi: refuse,
    userAuthorization: { ...userAuthorization, evaluate: refuse, decide: refuse, push: refuse },
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
  if (destination.route === undefined || !occursAt(reason, held)) return null;
  const unevaluated = { ...pending, evaluation: null, request_body: Buffer.from('grant_type=') };
  evaluationOf(unevaluated).grant_type = claimedBy(target, service).grant_type;
  const routes = createRoutes({ ...options, service: refusing(service, reason) });
  const [path = ''] = pending.target.split('?', 1);
  // A request that can be read, so that nothing else is rejected before.
  const { 'content-encoding': _encoding, ...others } = headers;
  const form = { ...others, 'content-type': 'application/x-www-form-urlencoded' };
  const route = routes.find(destination.path, path);
  return respond(route, unevaluated, form, '', service);
}
