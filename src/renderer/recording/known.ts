// The clients, codes, tokens and secrets of a recording, and the variables that replace them in the scenario.

import type { Client, Exchange } from '../../control/schemas.ts';
import type { JsonObject } from '../../json.ts';
import { redirectOf } from '../../scenario/actions/answer.ts';
import { askedParameters, type IssuedCode, type Sandbox } from './recording.ts';
import type { KeptMember } from '../../scenario/defaults.ts';
import type { ScenarioStep } from '../../scenario/schema.ts';
import { headerOf } from '../../oauth/fields.ts';
import { type DecodedJwt, decodeJwt } from '../../oauth/jwt.ts';
import type { ProofOrder } from '../../oauth/dpop.ts';

/** What a code was issued for. Its token request names the same. */
interface CodeFacts {
  readonly redirect_uri: string;
  readonly audience: string;
  readonly pkce: boolean;
}

/** Shorter secrets are replaced only where they are the whole text, since they could occur in harmless words. */
const LEAST_SECRET = 6;

/** Shorter placeholders are used only where the value is the whole text. */
const LEAST_STAND_IN = 16;
const ALONE = /^(?:(?:Bearer|DPoP) +)?(\S+)$/i;

const UNKNOWN_SECRET = 'the-secret-of-another-client';

const variable = (name: string): string => `{{${name}}}`;

/** The secrets of all clients, with a variable for the secret of the step's client and a wrong secret for the others. */
function secretsFor(
  own: Client | undefined,
  clients: readonly Client[],
): readonly (readonly [secret: string, text: string])[] {
  return clients.flatMap(({ client_id, client_secret }) => {
    if (client_secret === null) return [];
    const text = client_id === own?.client_id ? variable('client.client_secret') : UNKNOWN_SECRET;
    return [[client_secret, text]];
  });
}

/**
 * @param names_all whether steps name the first client too
 * @param proof_key the public key of the recorded DPoP proofs
 */
export function createKnown(
  { clients, issuer }: Sandbox,
  names_all = false,
  proof_key: JsonObject | null = null,
) {
  const { learn, namesIn, ...credentials } = createCredentials();
  const standIns: [string, string][] = [];
  const codes = new Map<string, CodeFacts>();
  const [first] = clients;

  const write = (text: string, client: Client | undefined): string => {
    const secrets = secretsFor(client, clients);
    const [, alone] = secrets.find(([secret]) => secret === text) ?? [];
    if (alone !== undefined) return alone;
    const [, bare = ''] = ALONE.exec(text) ?? [];
    const [, instead] = standIns.find(([value]) => value === bare) ?? [];
    if (instead !== undefined) return text.slice(0, text.length - bare.length) + instead;
    const all = [
      ...namesIn(text).map(([value, name]) => [value, variable(name)] as const),
      ...standIns.filter(([value]) => value.length >= LEAST_STAND_IN),
      [issuer, variable('issuer')] as const,
      ...secrets.filter(([secret]) => secret.length >= LEAST_SECRET),
    ];
    return all
      .sort(([a], [b]) => b.length - a.length)
      .reduce((rest, [value, name]) => rest.replaceAll(value, name), text);
  };

  const facts = {
    issuer,
    proofs: createProofMembers(proof_key),
    clients,
    learn,
    /** Replaces a value that no step can issue again. */
    standIn: (value: string, text: string) => void standIns.push([value, text]),
    ...credentials,
    /** What the code was issued for. For an unknown code, the facts of the newest one. */
    factsOf: (code: string | undefined) => codes.get(code ?? '') ?? [...codes.values()].at(-1),
    clientOf: (client_id: string | null): Client | undefined =>
      clients.find((client) => client.client_id === client_id),
    /** The member by which a step names its client. */
    naming: (client: Client | undefined): { client?: string } =>
      client === undefined || (client === first && !names_all) ? {} : { client: client.client_id },
    learnIssued: ({ code: value, request }: Pick<IssuedCode, 'code' | 'request'>, draft: Draft) => {
      learn('code', value, draft, 'body.code');
      const { redirect_uri, audience = issuer, code_challenge } = request;
      codes.set(value, { redirect_uri, audience, pkce: code_challenge !== undefined });
    },
    learnAuthorization: (asked: Exchange, answered: Exchange, draft: Draft) => {
      const { headers, body } = answered.response;
      const value = redirectOf(headerOf(headers, 'location'), body)?.['code'];
      if (value === undefined) return;
      learn('code', value, draft, 'redirect.code');
      const query = askedParameters(asked);
      codes.set(value, {
        redirect_uri: query.get('redirect_uri') ?? '',
        audience: query.get('audience') ?? issuer,
        pkce: query.has('code_challenge'),
      });
    },
  };
  type Facts = typeof facts;
  interface InStep extends Facts {
    readonly client: Client | undefined;
    /** The text with variables in place of known values. */
    readonly written: (text: string) => string;
    /** The same for a step of this client. */
    readonly inStepOf: (client: Client | undefined) => InStep;
  }
  const inStepOf = (client: Client | undefined): InStep => ({
    ...facts,
    client,
    inStepOf,
    written: (text) => write(text, client),
  });
  return inStepOf(first);
}

export type Known = ReturnType<typeof createKnown>;

/** A step, and what later steps need from its response. */
export interface Draft {
  readonly step: ScenarioStep;
  readonly save: Record<string, string>;
}

/** Where a credential was issued. */
interface Origin {
  readonly name: KeptMember;
  readonly draft: Draft;
  readonly path: string;
  /** The variable for later steps; null until one needs it. */
  saved: string | null;
}

function createCredentials() {
  const origins = new Map<string, Origin>();
  const newest = new Map<KeptMember, string>();

  const nameOf = (value: string, origin: Origin): string => {
    if (newest.get(origin.name) === value) return origin.name;
    if (origin.saved === null) {
      const alike = [...origins.values()].filter(({ name }) => name === origin.name);
      origin.saved = `${origin.name}_${alike.indexOf(origin) + 1}`;
      origin.draft.save[origin.saved] = origin.path;
    }
    return origin.saved;
  };

  return {
    /** @param path the path of the credential in the step's response */
    learn: (name: KeptMember, value: string, draft: Draft, path: string) => {
      origins.set(value, { name, draft, path, saved: null });
      newest.set(name, value);
    },
    /** Each credential that the text contains, with its current variable. */
    namesIn: (text: string): (readonly [value: string, name: string])[] =>
      [...origins]
        .filter(([value]) => text.includes(value))
        .map(([value, origin]) => [value, nameOf(value, origin)] as const),
    has: (value: string) => origins.has(value),
    values: () => [...origins.keys()],
    newest: (name: KeptMember) => newest.get(name),
  };
}

/** Seconds between a proof and its request that are normal. */
const USUAL_AGE = 5;

interface Recording {
  readonly issuer: string;
  /** The text with variables in place of known values. */
  readonly written: (text: string) => string;
}

const valueOr = (value: unknown, { written }: Recording): unknown => {
  if (value === undefined) return null;
  return typeof value === 'string' ? written(value) : value;
};

function headerMistakes({ header }: DecodedJwt, recording: Recording): JsonObject {
  const wrong: JsonObject = {};
  if (header['typ'] !== 'dpop+jwt') wrong['typ'] = valueOr(header['typ'], recording);
  if (header['alg'] !== 'ES256') wrong['alg'] = valueOr(header['alg'], recording);
  return wrong;
}

/** The trace says whether the hash was wrong, since it cannot be compared here. */
const hasWrongHash = ({ why, request }: Exchange, ath: unknown): boolean =>
  why?.check === 'dpop_token' ||
  (ath === undefined) !== (headerOf(request.headers, 'authorization') === null);

function claimMistakes(
  { payload }: DecodedJwt,
  exchange: Exchange,
  recording: Recording,
): JsonObject {
  const { method, path, error } = exchange;
  const { jti, htm, htu, iat, ath, nonce } = payload;
  const uri = new URL(recording.issuer).origin + (path.split('?', 1)[0] ?? '');
  return {
    ...(typeof jti === 'string' ? {} : { jti: valueOr(jti, recording) }),
    ...(htm === method ? {} : { htm: valueOr(htm, recording) }),
    ...(htu === uri ? {} : { htu: valueOr(htu, recording) }),
    ...(typeof iat === 'number' ? {} : { iat: valueOr(iat, recording) }),
    ...(hasWrongHash(exchange, ath) ? { ath: valueOr(ath, recording) } : {}),
    // A step would send the nonce that the server demands, but the recorded request did not.
    ...(error === 'use_dpop_nonce' ? { nonce: nonce ?? null } : {}),
  };
}

function ageOf({ payload: { iat } }: DecodedJwt, { clock }: Exchange): number {
  const age = Math.round(Date.parse(clock.now) / 1000) - Number(iat ?? NaN);
  return Math.abs(age) > USUAL_AGE ? age : 0;
}

/** @param own the public key that steps use by default; null: the key of the first proof */
function createProofMembers(own: JsonObject | null) {
  const keys: string[] = own === null ? [] : [JSON.stringify(own)];
  const members = new Map<Exchange, true | ProofOrder | null>();
  let newest: string | null = null;

  const keyOf = ({ header }: DecodedJwt): Pick<ProofOrder, 'key'> => {
    const key = JSON.stringify(header['jwk'] ?? null);
    if (!keys.includes(key)) keys.push(key);
    const place = keys.indexOf(key);
    return place === 0 ? {} : { key: `key ${place + 1}` };
  };
  const read = (exchange: Exchange, recording: Recording): true | ProofOrder | null => {
    const value = headerOf(exchange.request.headers, 'dpop');
    const proof = value === null ? null : decodeJwt(value);
    if (proof === null) return null;
    if (value === newest) return { replay: true };
    newest = value;
    const header = headerMistakes(proof, recording);
    const claims = claimMistakes(proof, exchange, recording);
    const age_seconds = ageOf(proof, exchange);
    const order: ProofOrder = {
      ...keyOf(proof),
      ...(age_seconds === 0 ? {} : { age_seconds }),
      ...(Object.keys(header).length === 0 ? {} : { header }),
      ...(Object.keys(claims).length === 0 ? {} : { claims }),
    };
    return Object.keys(order).length === 0 ? true : order;
  };
  return {
    /** Returns null for a request without a proof, or with one that cannot be decoded. */
    of: (exchange: Exchange, recording: Recording): true | ProofOrder | null => {
      const member = members.get(exchange) ?? read(exchange, recording);
      members.set(exchange, member);
      return member;
    },
  };
}

/** Whether the next request repeats this one with the demanded nonce. One step sends both. */
export const isSentAgain = (exchange: Exchange, next: Exchange | null): boolean =>
  exchange.error === 'use_dpop_nonce' &&
  next !== null &&
  next.method === exchange.method &&
  next.path === exchange.path &&
  next.request.body === exchange.request.body &&
  headerOf(next.request.headers, 'dpop') !== null;
