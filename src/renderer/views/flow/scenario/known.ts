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

/** Shorter secrets would take harmless words along. */
const LEAST_SECRET = 6;

const variable = (name: string): string => `{{${name}}}`;

export function createKnown({ clients, issuer }: Sandbox) {
  const births = new Map<string, Birth>();
  const newest = new Map<KeptMember, string>();
  let code: CodeFacts | null = null;
  const [first] = clients;
  const secret = first?.client_secret ?? '';
  const fixed: (readonly [string, string])[] = [[issuer, variable('issuer')]];
  if (secret.length >= LEAST_SECRET) fixed.push([secret, variable('client.client_secret')]);

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

  return {
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
    isFirst: (client: Client) => client === first,
    /** The text with variables for all that is known. */
    written: (text: string): string => {
      const named = [...births].filter(([value]) => text.includes(value));
      const all = [
        ...named.map(([value, birth]) => [value, variable(nameOf(value, birth))] as const),
        ...standIns,
        ...fixed,
      ];
      return all
        .sort(([a], [b]) => b.length - a.length)
        .reduce((rest, [value, name]) => rest.replaceAll(value, name), text);
    },
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
}

export type Known = ReturnType<typeof createKnown>;
