// The codes, tokens and secrets of a recorded walk, and the variables that stand for them in its scenario:
// the newest of each kind under its own name, an older one under the name it is kept by.

import type { KeptMember } from '../../../../scenario/defaults.ts';
import type { ScenarioStep } from '../../../../scenario/schema.ts';
import type { Client, Exchange } from '../../../../control/schemas.ts';
import { redirectAnswerOf } from '../../../exchange/answer.ts';
import type { IssueEvent } from '../flow-state.ts';
import type { Sandbox } from './registered.ts';

/** A step as written so far; what later steps need of its answer is kept. */
export interface Draft {
  readonly step: ScenarioStep;
  readonly save: Record<string, string>;
}

interface Birth {
  readonly name: KeptMember;
  readonly draft: Draft;
  readonly path: string;
  saved: string | null;
}

/** What the newest code was issued for: the next exchange names it. */
interface CodeFacts {
  readonly redirect_uri: string;
  readonly audience: string;
  readonly pkce: boolean;
}

/** Shorter secrets would take harmless words along; they are only replaced where they stand alone. */
const LEAST_SECRET = 6;

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

/** @param names_all whether steps name the first client too */
export function createKnown({ clients, issuer }: Sandbox, names_all = false) {
  const births = new Map<string, Birth>();
  const newest = new Map<KeptMember, string>();
  let code: CodeFacts | null = null;
  const [first] = clients;

  const nameOf = (value: string, birth: Birth): string => {
    if (newest.get(birth.name) === value) return birth.name;
    if (birth.saved === null) {
      const order = [...births.values()].filter(({ name }) => name === birth.name).indexOf(birth);
      birth.saved = `${birth.name}_${order + 1}`;
      birth.draft.save[birth.saved] = birth.path;
    }
    return birth.saved;
  };

  const standIns: [string, string][] = [];

  const learn = (name: KeptMember, value: string, draft: Draft, path: string) => {
    births.set(value, { name, draft, path, saved: null });
    newest.set(name, value);
  };

  const write = (text: string, client: Client | undefined): string => {
    const secrets = secretsFor(client, clients);
    const [, alone] = secrets.find(([secret]) => secret === text) ?? [];
    if (alone !== undefined) return alone;
    const named = [...births].filter(([value]) => text.includes(value));
    const all = [
      ...named.map(([value, birth]) => [value, variable(nameOf(value, birth))] as const),
      ...standIns,
      [issuer, variable('issuer')] as const,
      ...secrets.filter(([secret]) => secret.length >= LEAST_SECRET),
    ];
    return all
      .sort(([a], [b]) => b.length - a.length)
      .reduce((rest, [value, name]) => rest.replaceAll(value, name), text);
  };

  const facts = {
    issuer,
    clients,
    learn,
    /** For what cannot be had again. */
    standIn: (value: string, text: string) => void standIns.push([value, text]),
    has: (value: string) => births.has(value),
    values: () => [...births.keys()],
    newest: (name: KeptMember) => newest.get(name),
    code: () => code,
    clientOf: (client_id: string | null): Client | undefined =>
      clients.find((client) => client.client_id === client_id),
    /** The member by which a step names its client. */
    naming: (client: Client | undefined): { client?: string } =>
      client === undefined || (client === first && !names_all) ? {} : { client: client.client_id },
    learnIssued: ({ code: value, request }: IssueEvent, draft: Draft) => {
      learn('code', value, draft, 'body.code');
      const { redirect_uri, audience = issuer, code_challenge } = request;
      code = { redirect_uri, audience, pkce: code_challenge !== undefined };
    },
    learnAuthorization: (asked: Exchange, answered: Exchange, draft: Draft) => {
      const value = redirectAnswerOf(answered)?.get('code') ?? null;
      if (value === null) return;
      learn('code', value, draft, 'redirect.code');
      const query = new URLSearchParams(asked.path.split('?', 2)[1]);
      code = {
        redirect_uri: query.get('redirect_uri') ?? '',
        audience: query.get('audience') ?? issuer,
        pkce: query.has('code_challenge'),
      };
    },
  };
  type Facts = typeof facts;
  interface InStep extends Facts {
    /** The text with variables for all that is known. */
    readonly written: (text: string) => string;
    /** The same in a step of this client. */
    readonly inStepOf: (client: Client | undefined) => InStep;
  }
  const inStepOf = (client: Client | undefined): InStep => ({
    ...facts,
    inStepOf,
    written: (text) => write(text, client),
  });
  return inStepOf(first);
}

export type Known = ReturnType<typeof createKnown>;
