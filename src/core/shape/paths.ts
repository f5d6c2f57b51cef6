// The paths of a shape, written out for each value of its parameters, and what is wrong with them.

import { ENDPOINT_NAMES, type EndpointName, ENDPOINTS, OTHER_PATHS } from '../records/endpoints.ts';
import type { Problem } from '../records/problems.ts';
import type { Shape } from '../records/schemas.ts';

type Parameters = Readonly<Record<string, readonly string[]>>;

/** Paths that a shape may have, written out. */
const MAX_WRITTEN_OUT = 500;

/** Characters of one of them. */
const MAX_PATH = 300;

interface ShapePaths {
  /** Every path that is served for the shape, with its endpoint. */
  readonly routes: ReadonlyMap<string, EndpointName>;
  /** The path that the metadata names; null where the provider has no such endpoint. */
  readonly named: ReadonlyMap<EndpointName, string | null>;
  /** Empty without one; `/` for a trailing slash alone. */
  readonly issuer_path: string;
  readonly problems: readonly Problem[];
}

/** Names in braces, in their order. */
function namesIn(path: string): string[] {
  return path
    .split('/')
    .filter((segment) => segment.startsWith('{'))
    .map((segment) => segment.slice(1, -1));
}

/** The path for each value, the first values first; at most so many, and one more. */
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

interface Collector {
  readonly routes: Map<string, EndpointName>;
  readonly named: Map<EndpointName, string | null>;
  readonly problems: Problem[];
  /** The paths of a template. @param at where it stands in the shape */
  expand(template: string, at: string): readonly string[];
  add(path: string, name: EndpointName, at: string): void;
}

/** Whose path this is already, if another endpoint or the service itself has it. */
function ownerOf(path: string, name: EndpointName, routes: Collector['routes']): string | null {
  const fixed = FIXED.get(path);
  if (fixed === null) return 'which is always a path of the service itself';
  if (fixed !== undefined && fixed !== name) return `which is always the ${ENDPOINTS[fixed].words}`;
  const taken = routes.get(path);
  if (taken === undefined || taken === name) return null;
  return `which is the ${ENDPOINTS[taken].words} already`;
}

function createCollector(parameters: Parameters): Collector {
  const routes: Collector['routes'] = new Map();
  const problems: Problem[] = [];
  const wrong = (path: string, message: string) => {
    // One template makes many paths: the first problem of it is enough.
    if (problems.at(-1)?.path !== path) problems.push({ path, message });
    return [];
  };
  return {
    routes,
    problems,
    named: new Map(),
    expand: (template, at) => {
      const unknown = namesIn(template).find((name) => !Object.hasOwn(parameters, name));
      if (unknown !== undefined)
        return wrong(at, `has {${unknown}}, which is not among parameters`);
      const left = MAX_WRITTEN_OUT - routes.size;
      const paths = writtenOut(template, parameters, left);
      if (paths.length <= left) return paths;
      return wrong(at, `makes more than ${MAX_WRITTEN_OUT} paths with those of the other members`);
    },
    add: (path, name, at) => {
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

/** Both documents, behind the issuer's path (OpenID Connect Discovery 4) and before it (RFC 8414 3.1). */
function addDocuments(collector: Collector, issuerPaths: readonly string[]): void {
  for (const name of ['openid_configuration', 'oauth_authorization_server'] as const) {
    const { path } = ENDPOINTS[name];
    for (const below of issuerPaths.filter((one) => one !== '/')) {
      collector.add(`${below}${path}`, name, 'issuer_path');
      collector.add(`${path}${below}`, name, 'issuer_path');
    }
  }
}

/** @param shape with the members of its provider */
export function resolvePaths(shape: Shape): ShapePaths {
  const collector = createCollector(shape.parameters ?? {});
  const { issuer_path } = shape;
  const issuerPaths = issuer_path === undefined ? [] : collector.expand(issuer_path, 'issuer_path');
  addEndpoints(collector, shape);
  addDocuments(collector, issuerPaths);
  const { routes, named, problems } = collector;
  return { routes, named, issuer_path: issuerPaths[0] ?? '', problems };
}
