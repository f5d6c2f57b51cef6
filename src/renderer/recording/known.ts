// What a recorded walk knows: its clients, codes, tokens and secrets, and the variables that stand for
// them in its scenario.

import type { Client, Exchange } from '../../control/schemas.ts';
import type { JsonObject } from '../../oauth/json-object.ts';
import { redirectAnswerOf } from '../exchange/answer.ts';
import type { IssuedCode } from './recorded-event.ts';
import { askedParameters } from './asked-parameters.ts';
import { createCredentials, type Draft } from './credentials.ts';
import { createProofMembers } from './proof-member.ts';
import type { Sandbox } from './registered.ts';

/** What a code was issued for: its exchange names it. */
interface CodeFacts {
  readonly redirect_uri: string;
  readonly audience: string;
  readonly pkce: boolean;
}

/** Shorter secrets would take harmless words along; they are only replaced where they stand alone. */
const LEAST_SECRET = 6;

/** Shorter ones that were typed in are replaced only where they stand for themselves. */
const LEAST_STAND_IN = 16;
const ALONE = /^(?:(?:Bearer|DPoP) +)?(\S+)$/i;

const UNKNOWN_SECRET = 'the-secret-of-another-client';

const variable = (name: string): string => `{{${name}}}`;

/** The secrets of all clients: a variable for that of the step's client, something wrong for the others. */
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
 * @param proof_key the public key of the walk's DPoP proofs
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
    /** For what cannot be had again. */
    standIn: (value: string, text: string) => void standIns.push([value, text]),
    ...credentials,
    /** What the code was issued for; of the newest one, when it is not known. */
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
      const value = redirectAnswerOf(answered)?.get('code') ?? null;
      if (value === null) return;
      learn('code', value, draft, 'redirect.code');
      const query = new URLSearchParams(askedParameters(asked));
      codes.set(value, {
        redirect_uri: query.get('redirect_uri') ?? '',
        audience: query.get('audience') ?? issuer,
        pkce: query.has('code_challenge'),
      });
    },
  };
  type Facts = typeof facts;
  interface InStep extends Facts {
    /** The client of the step. */
    readonly client: Client | undefined;
    /** The text with variables for all that is known. */
    readonly written: (text: string) => string;
    /** The same in a step of this client. */
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
