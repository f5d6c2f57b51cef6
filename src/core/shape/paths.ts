// Expands the paths of a shape for each value of its parameters, and validates them.

import { ENDPOINT_NAMES, type EndpointName, ENDPOINTS, OTHER_PATHS } from '../records/endpoints.ts';
import type { Problem } from '../records/problems.ts';
import type { Shape } from '../records/schemas.ts';

type Parameters = Readonly<Record<string, readonly string[]>>;

/** Maximum number of expanded paths of a shape. */
const MAX_WRITTEN_OUT = 500;

const MAX_PATH = 300;

export interface ShapePaths {
  /** Every path that is served for the shape, from the root, with its endpoint. */
  readonly routes: ReadonlyMap<string, EndpointName>;
  /** The path in the metadata; null if the provider does not have the endpoint. */
  readonly named: ReadonlyMap<EndpointName, string | null>;
  /** Empty if the shape has none; `/` for a trailing slash only. */
  readonly issuer_path: string;
}

/** Returns the names in braces, in order. */
function namesIn(path: string): string[] {
  return path
    .split('/')
    .filter((segment) => segment.startsWith('{'))
    .map((segment) => segment.slice(1, -1));
}

/** Returns the path for each combination of values, the first values first; at most one more than the maximum. */
function writtenOut(path: string, parameters: Parameters, most: number): string[] {
  return namesIn(path).reduce<string[]>(
    (paths, name) =>
      paths
        .flatMap((one) =>
          (parameters[name] ?? []).map((value) => one.replace(`{${name}}`, () => value)),
        )
        .slice(0, most + 1),
    [path],
  );
}

const FIXED = new Map<string, EndpointName | null>([
  ...ENDPOINT_NAMES.map((name): [string, EndpointName] => [ENDPOINTS[name].path, name]),
  ...OTHER_PATHS.map((path): [string, null] => [path, null]),
]);

type Routes = Map<string, EndpointName>;

/** Returns which other endpoint already has this path; null if none has. */
function ownerOf(path: string, name: EndpointName, routes: Routes): string | null {
  const fixed = FIXED.get(path);
  if (fixed === null) return 'which the service itself uses';
  if (fixed !== undefined && fixed !== name)
    return `which is reserved for the ${ENDPOINTS[fixed].words}`;
  const taken = routes.get(path);
  if (taken === undefined || taken === name) return null;
  return `which the ${ENDPOINTS[taken].words} already has`;
}

/** Collects the paths of a shape, and their problems. */
function createCollector(parameters: Parameters) {
  const routes: Routes = new Map();
  const problems: Problem[] = [];
  const wrong = (path: string, message: string): readonly string[] => {
    // A template may have many paths; only the first problem is reported.
    if (problems.at(-1)?.path !== path) problems.push({ path, message });
    return [];
  };
  return {
    routes,
    problems,
    named: new Map<EndpointName, string | null>(),
    /** Returns the paths of a template. @param at its path in the shape */
    expand: (template: string, at: string): readonly string[] => {
      const unknown = namesIn(template).find((name) => !Object.hasOwn(parameters, name));
      if (unknown !== undefined)
        return wrong(at, `has {${unknown}}, which is not a parameter of the shape`);
      const left = MAX_WRITTEN_OUT - routes.size;
      const paths = writtenOut(template, parameters, left);
      if (paths.length <= left) return paths;
      return wrong(
        at,
        `results in more than ${MAX_WRITTEN_OUT} paths, together with those of the other members`,
      );
    },
    add: (path: string, name: EndpointName, at: string): void => {
      if (path.length > MAX_PATH) {
        wrong(at, `is longer than ${MAX_PATH} characters with the values of its parameters`);
        return;
      }
      const owner = ownerOf(path, name, routes);
      if (owner === null) routes.set(path, name);
      else wrong(at, `is ${path}, ${owner}`);
    },
  };
}

type Collector = ReturnType<typeof createCollector>;

function addEndpoints(collector: Collector, { paths = {} }: Shape): void {
  for (const name of ENDPOINT_NAMES) {
    const given = paths[name];
    if (given === undefined) continue;
    if (given === null) {
      collector.named.set(name, null);
      continue;
    }
    given.forEach((template, index) => {
      const at = `paths.${name}[${index}]`;
      const all = collector.expand(template, at);
      for (const path of all) collector.add(path, name, at);
      if (index === 0 && all[0] !== undefined) collector.named.set(name, all[0]);
    });
  }
}

/** Adds both metadata documents, after the issuer's path (OpenID Connect Discovery 4) and before it (RFC 8414 3.1). */
function addDocuments(collector: Collector, issuerPaths: readonly string[]): void {
  for (const name of ['openid_configuration', 'oauth_authorization_server'] as const) {
    const { path } = ENDPOINTS[name];
    for (const issuer of issuerPaths.filter((one) => one !== '/')) {
      const after = `${issuer}${path}`;
      const before = `${path}${issuer}`;
      for (const one of [after, before]) collector.add(one, name, 'issuer_path');
      if (collector.named.has(name)) continue;
      collector.named.set(name, name === 'openid_configuration' ? after : before);
    }
  }
}

/** @param shape including the members of its provider */
export function resolvePaths(shape: Shape): ShapePaths & { readonly problems: Problem[] } {
  const collector = createCollector(shape.parameters ?? {});
  const { issuer_path } = shape;
  const issuerPaths = issuer_path === undefined ? [] : collector.expand(issuer_path, 'issuer_path');
  addEndpoints(collector, shape);
  addDocuments(collector, issuerPaths);
  const { routes, named, problems } = collector;
  return { routes, named, issuer_path: issuerPaths[0] ?? '', problems };
}
