// The protected APIs that the service itself serves (behaviour 19): which API and which of its rules a request falls
// under, and by which audience and at which URLs an API is known.

import { audienceOfApi, pathOfApi } from '../records/api-address.ts';
import { baseOf, fitsPattern } from '../records/endpoints.ts';
import type { Api, ApiRule, Settings } from '../records/schemas.ts';

export const apisFor = (audience: string, apis: readonly Api[], issuer: string): Api[] =>
  apis.filter((api) => audienceOfApi(api, issuer) === audience);

/** Returns all scopes that its rules require; some may be repeated. */
export const scopesOfApi = ({ rules }: Api): string[] => rules.flatMap(({ scopes }) => scopes);

/** Returns every acr that a sign-in may have: those of the settings, and those that the APIs require. */
export const supportedAcrs = (
  { acr_values_supported }: Pick<Settings, 'acr_values_supported'>,
  apis: readonly Api[],
): string[] => [
  ...new Set([
    ...acr_values_supported,
    ...apis.flatMap(({ rules }) => rules.flatMap(({ acr_values }) => acr_values)),
  ]),
];

/** Whether the path is the prefix, or continues it with further segments. */
const isBelow = (path: string, prefix: string): boolean =>
  path === prefix || path.startsWith(`${prefix}/`);

/** Returns the API whose path is the longest that this one begins with; undefined if none covers it. */
export function apiAt(path: string, apis: readonly Api[]): Api | undefined {
  let found: Api | undefined;
  for (const api of apis) {
    const own = pathOfApi(api);
    if (!isBelow(path, own)) continue;
    if (found === undefined || own.length > pathOfApi(found).length) found = api;
  }
  return found;
}

/** Returns the rules whose pattern this path below the API matches, in their order. */
const rulesFor = (rest: string, { rules }: Api): ApiRule[] =>
  rules.filter((rule) => fitsPattern(rule.path, rest));

/** Returns the rules of the API whose pattern the path matches, in their order. */
export const rulesAt = (path: string, api: Api): ApiRule[] =>
  rulesFor(path.slice(pathOfApi(api).length) || '/', api);

type ApiMethod = ApiRule['methods'][number] | 'HEAD';

/** Returns the methods that these rules accept. GET includes HEAD (RFC 9110 9.3.2). */
export function methodsOf(rules: readonly ApiRule[]): ApiMethod[] {
  const given = new Set(rules.flatMap(({ methods }) => methods));
  return [
    ...(given.has('GET') ? (['GET', 'HEAD'] as const) : []),
    ...(given.has('POST') ? (['POST'] as const) : []),
  ];
}

export const ruleFor = (rules: readonly ApiRule[], method: string): ApiRule | undefined =>
  rules.find((rule) => methodsOf([rule]).some((accepted) => accepted === method));

const ruleOf = (path: string, scopes: string[]): ApiRule => ({
  path,
  methods: ['POST'],
  scopes,
  max_age: null,
  acr_values: [],
  token_type: 'any',
});

/** The rule of messages to an MCP server for which it has none: any token for it is accepted. */
const ANY_TOKEN = ruleOf('/*', []);

/** The MCP server that exists without a record, in the interop profile (behaviour 20). */
const MCP_SERVER: Api = {
  name: 'mcp',
  kind: 'mcp',
  path: '/mcp',
  audience: null,
  rules: [ruleOf('/step_up', ['mcp:step_up']), ANY_TOKEN],
};

/** Returns the records, and the MCP server that exists without one unless a record has its path. */
export const withMcpServer = (apis: readonly Api[]): readonly Api[] =>
  apis.some((api) => pathOfApi(api) === MCP_SERVER.path) ? apis : [...apis, MCP_SERVER];

/** Returns the rule of an MCP server for calls of a tool, or for every other message. */
export const ruleOfTool = (tool: string | null, server: Api): ApiRule =>
  ruleFor(rulesFor(`/${tool ?? ''}`, server), 'POST') ?? ANY_TOKEN;

/** The tool that every MCP server has. */
const WHOAMI = 'whoami';

/** Returns the names of the tools of an MCP server: those that its rules name, and `whoami`. */
export function toolsOf({ rules }: Api): string[] {
  const named = rules.flatMap(({ path }) => /^\/([\w.-]{1,128})$/.exec(path)?.[1] ?? []);
  return [...new Set([WHOAMI, ...named])];
}

/**
 * Returns the scopes for the metadata (RFC 9728 2). A client requests these first, so those of an MCP server's tools
 * are left to the challenges of these tools.
 */
export const scopesInMetadata = (api: Api): string[] =>
  api.kind === 'mcp' ? ruleOfTool(null, api).scopes : scopesOfApi(api);

const WELL_KNOWN = '/.well-known/oauth-protected-resource';

/** Whether the resource is the URL of the API, or one above it on this server. */
function isAtOrAbove(resource: string, api: Api, issuer: string): boolean {
  const own = baseOf(issuer) + pathOfApi(api);
  return isBelow(own, baseOf(resource)) && baseOf(resource).length >= new URL(issuer).origin.length;
}

/**
 * Returns the URL of the metadata of the API (RFC 9728 3.1); null for an API whose audience is not its own URL or one
 * above it, as its metadata would describe another resource than the one that is there (3.3).
 */
export function metadataUrlOf(api: Api, issuer: string): string | null {
  const resource = audienceOfApi(api, issuer);
  if (!isAtOrAbove(resource, api, issuer)) return null;
  const { origin } = new URL(issuer);
  return `${origin}${WELL_KNOWN}${baseOf(resource).slice(origin.length)}`;
}

/** Returns the APIs that the metadata at this path of the server describes: those of one audience. */
export function apisDescribedAt(path: string, apis: readonly Api[], issuer: string): Api[] {
  if (!isBelow(path, WELL_KNOWN)) return [];
  const url = new URL(issuer).origin + path;
  return apis.filter((api) => metadataUrlOf(api, issuer) === url);
}
