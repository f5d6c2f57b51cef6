// A scenario for a sandbox that is in use already: what its steps find registered is what there is, with
// the scenario's own members put in.

import { mergePatch } from '../../core/records/merge-patch.ts';
import { isJsonObject } from '../../oauth/json-object.ts';
import { settingsSchema, workspaceSchema } from '../../control/schemas.ts';
import type { Workspace } from '../../core/records/schemas.ts';
import { IN_WORDS, problemsOf } from '../../core/records/problems.ts';
import { parseScenario } from '../parse.ts';

/** Records of the scenario first; of those there are, the ones it does not name. */
function together<T>(own: unknown, present: readonly T[], key: keyof T): unknown {
  if (own === undefined) return present;
  if (!Array.isArray(own)) return own;
  const named = new Set(own.map((record) => (isJsonObject(record) ? record[String(key)] : null)));
  return [...(own as unknown[]), ...present.filter((record) => !named.has(record[key]))];
}

/**
 * The settings that a scenario's own are merged into, as `grantbench run` does with the demo workspace's;
 * but what is lost when it changes for a moment stays: recorded exchanges, and the keys in use.
 */
function settingsFor(own: unknown, { settings }: Workspace): unknown {
  const { issuer, signing_alg, capture } = settings;
  const defaults = settingsSchema.parse({ issuer, signing_alg, capture });
  return own === undefined ? defaults : mergePatch(defaults, own);
}

/** Clients that the scenario does not name stay: what was issued to them would end with them. */
function withMembers(part: unknown, present: Workspace): Record<string, unknown> {
  const { clients, users, audiences, settings, shape } = Object(part) as Record<string, unknown>;
  return {
    ...present,
    clients: together(clients, present.clients, 'client_id'),
    users: together(users, present.users, 'sub'),
    audiences: together(audiences, present.audiences, 'uri'),
    settings: settingsFor(settings, present),
    ...(shape === undefined ? {} : { shape }),
    faults: [],
  };
}

/** @param present what is registered and set now */
export const parseScenarioInUse = (
  text: string,
  present: Workspace,
): ReturnType<typeof parseScenario> =>
  parseScenario(text, (part) => {
    if (part === undefined) return Promise.resolve(present);
    const members = withMembers(part, present);
    const result = workspaceSchema.safeParse(members, IN_WORDS);
    return Promise.resolve(result.success ? result.data : problemsOf(result.error.issues, members));
  });
