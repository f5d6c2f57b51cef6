// Makes a shape from a provider's documents; notes list omissions and their reasons.

import { ENDPOINT_NAMES, ENDPOINTS, type EndpointName } from '../../core/records/endpoints.ts';
import { SIGNING_ALGS } from '../../core/records/enumerations.ts';
import { IN_WORDS, type Problem, problemsOf, segmentsOf } from '../../core/records/problems.ts';
import { KTY_OF_ALG } from '../../core/records/usual-workspace.ts';
import { isJsonObject, type JsonObject } from '../../json.ts';
import { shapeSchema, type Shape } from '../../core/records/schemas.ts';
import { resolveShape } from '../../core/shape/resolve.ts';
import { isEndpointMember } from '../../core/shape/template-rules.ts';
import type { SampleToken } from './claims-of.ts';
import { ProviderError } from '../provider/provider-error.ts';
import type { ProviderDocuments } from '../provider/documents.ts';

/** Metadata for which the sandbox's own values apply. */
const TRUE_HERE: readonly string[] = [
  'id_token_signing_alg_values_supported',
  'authorization_response_iss_parameter_supported',
  'dpop_signing_alg_values_supported',
  'require_pushed_authorization_requests',
  'request_parameter_supported',
  'request_uri_parameter_supported',
  'require_signed_request_object',
  'claims_parameter_supported',
  'signed_metadata',
];

/** Members of the sandbox's metadata that a provider may not have. */
const OPTIONAL: readonly string[] = [
  'scopes_supported',
  'claims_supported',
  'grant_types_supported',
  'response_modes_supported',
  'prompt_values_supported',
  'code_challenge_methods_supported',
  ...['authorization', 'introspection', 'userinfo'].map(
    (endpoint) => `${endpoint}_signing_alg_values_supported`,
  ),
  'acr_values_supported',
  'request_object_signing_alg_values_supported',
  'backchannel_logout_supported',
  'backchannel_logout_session_supported',
  'require_signed_request_object',
  ...['token', 'revocation', 'introspection'].flatMap((endpoint) => [
    `${endpoint}_endpoint_auth_methods_supported`,
    `${endpoint}_endpoint_auth_signing_alg_values_supported`,
  ]),
];

/**
 * Whether a member has a URL that would lead a client from the sandbox to the provider. Lists of supported names, such as
 * grants, have other URLs as well, which nobody requests.
 */
function leadsAway(name: string, value: unknown, issuer: string): boolean {
  if (typeof value !== 'string') {
    const all = typeof value === 'object' && value !== null ? Object.values(value) : [];
    return all.some((one) => leadsAway(name, one, issuer));
  }
  return /^https?:/i.test(value) && !(name.endsWith('_supported') && !value.startsWith(issuer));
}

function pathOf(member: string, { issuer, metadata }: ProviderDocuments, notes: string[]) {
  const value = metadata[member];
  if (value === undefined) return null;
  if (typeof value !== 'string' || !URL.canParse(value)) {
    throw new ProviderError(issuer, `has a ${member} that is not a URL`);
  }
  const { origin, host, search, pathname } = new URL(value);
  if (origin !== new URL(issuer).origin) notes.push(`At the provider, ${member} is on ${host}.`);
  if (search !== '') notes.push(`At the provider, ${member} has a query. It is omitted.`);
  return [pathname];
}

/** Endpoints that the metadata does not have are omitted here as well. */
function pathsOf(provider: ProviderDocuments, notes: string[]): NonNullable<Shape['paths']> {
  const paths: Partial<Record<EndpointName, string[] | null>> = {};
  for (const name of ENDPOINT_NAMES) {
    const { member } = ENDPOINTS[name];
    if (member !== null) paths[name] = pathOf(member, provider, notes);
  }
  return paths;
}

function metadataOf({ issuer, metadata }: ProviderDocuments, notes: string[]): JsonObject {
  const { origin } = new URL(issuer);
  const known = Object.values(ENDPOINTS).map(({ member }): string | null => member);
  const kept = Object.entries(metadata).filter(([name, value]) => {
    const isOurs = name === 'issuer' || TRUE_HERE.includes(name) || known.includes(name);
    if (isOurs || value === null) return false;
    const isAway = isEndpointMember(name) || leadsAway(name, value, origin);
    if (isAway) notes.push(`${name} is omitted because it leads to the provider.`);
    return !isAway;
  });
  const missing = OPTIONAL.filter((name) => metadata[name] === undefined);
  return Object.fromEntries([...kept, ...missing.map((name) => [name, null] as const)]);
}

/** Returns the first algorithm of the sandbox that the provider announces and has a key for. */
function algOf({ metadata, keys }: ProviderDocuments) {
  const { id_token_signing_alg_values_supported: listed } = metadata;
  const signing = keys.filter(({ use }) => use !== 'enc');
  const hasKey = (alg: (typeof SIGNING_ALGS)[number]) =>
    signing.some((key) => (key['alg'] ?? alg) === alg && key['kty'] === KTY_OF_ALG[alg]);
  const fits = SIGNING_ALGS.filter((alg) => hasKey(alg));
  return fits.find((alg) => Array.isArray(listed) && listed.includes(alg)) ?? fits[0];
}

function issuerPath(issuer: string): string | undefined {
  const path = issuer.slice(new URL(issuer).origin.length);
  return path === '' ? undefined : path;
}

function problemsIn(shape: Shape): readonly Problem[] {
  const read = shapeSchema.safeParse(shape, IN_WORDS);
  if (!read.success) return problemsOf(read.error.issues, shape);
  const resolved = resolveShape(shape);
  return 'problems' in resolved ? resolved.problems : [];
}

/** Removes the members with problems, of the shape or of one of its objects. */
function without(shape: Shape, problems: readonly Problem[]): Shape {
  const wrong = new Set(
    problems.map(({ path }) => JSON.stringify(segmentsOf(path).slice(0, 2).map(String))),
  );
  const isSound = (...path: string[]) => !wrong.has(JSON.stringify(path));
  const members = Object.entries(shape)
    .filter(([name]) => isSound(name))
    .map(([name, member]: [string, unknown]) => {
      if (!isJsonObject(member)) return [name, member];
      return [name, Object.fromEntries(Object.entries(member).filter(([n]) => isSound(name, n)))];
    });
  return Object.fromEntries(members) as Shape;
}

const MOST_ROUNDS = 10;

/** Removes invalid members and notes them. @throws ProviderError if the rest is not a valid shape */
function settled(issuer: string, given: Shape, notes: string[]): Shape {
  let shape = given;
  // Some problems only appear once others are removed.
  for (let round = 0; round < MOST_ROUNDS; round += 1) {
    const problems = problemsIn(shape);
    if (problems.length === 0) return shape;
    if (problems.some(({ path }) => path === '')) break;
    notes.push(...problems.map(({ path, message }) => `${path} is omitted: it ${message}.`));
    shape = without(shape, problems);
  }
  const { path = '', message = '' } = problemsIn(shape)[0] ?? {};
  throw new ProviderError(issuer, `makes a shape that cannot be used: ${path} ${message}`.trim());
}

export function shapeOf(provider: ProviderDocuments, sample: SampleToken | null) {
  const notes: string[] = [];
  const { issuer } = provider;
  const issuer_path = issuerPath(issuer);
  const signing_alg = algOf(provider);
  if (signing_alg === undefined) notes.push('No key has an algorithm that can be imitated.');
  const lifetime = sample?.lifetime ?? null;
  const shape: Shape = {
    name: new URL(issuer).host,
    ...(issuer_path === undefined ? {} : { issuer_path }),
    paths: pathsOf(provider, notes),
    metadata: metadataOf(provider, notes),
    ...(sample === null ? {} : { access_token: sample.access_token }),
    ...(sample?.access_token_typ === undefined
      ? {}
      : { access_token_typ: sample.access_token_typ }),
    settings: {
      profile: 'interop',
      ...(signing_alg === undefined ? {} : { signing_alg }),
      ...(lifetime === null ? {} : { lifetimes: { access_token: lifetime } }),
    },
  };
  return { shape: settled(issuer, shape, notes), notes };
}
