// Which request to call a protected API with: the first of its rules for GET, at a path that the rule is for.

import { audienceOfApi, pathOfApi } from '../control/names.ts';
import type { Api } from '../control/schemas.ts';

/** A protected API as a step calls it. */
export interface CalledApi {
  readonly name: string;
  readonly audience: string;
  /** A path of the API that a GET request may have. */
  readonly path: string;
  /** The scopes that the request needs, separated by spaces; empty for none. */
  readonly scope: string;
  /** Whether a bearer token with the scopes is enough. */
  readonly plain: boolean;
}

/** Returns null for an API that takes no GET request, such as an MCP server. */
function callOf(api: Api, issuer: string): CalledApi | null {
  const { name, kind, rules } = api;
  if (kind === 'mcp') return null;
  const rule = rules.find(({ methods }) => methods.includes('GET'));
  if (rule === undefined) return null;
  const rest = rule.path.replaceAll('*', '1').replace(/^\/1?$/, '');
  return {
    name,
    audience: audienceOfApi(api, issuer),
    path: `${pathOfApi(api)}${rest}`,
    scope: rule.scopes.join(' '),
    plain: rule.token_type === 'any' && rule.max_age === null && rule.acr_values.length === 0,
  };
}

export const calledApis = (apis: readonly Api[], issuer: string): readonly CalledApi[] =>
  apis.flatMap((api) => callOf(api, issuer) ?? []);

/** Returns the API to make mistakes at: one that needs a scope, and nothing that a flow cannot give. */
export const apiForMistakes = (apis: readonly Api[], issuer: string): CalledApi | null =>
  calledApis(apis, issuer).find(({ plain, scope }) => plain && scope !== '') ?? null;
