// Resolves a shape for use: adds the members of its provider, expands its paths, compiles its templates, and collects
// all problems. A shape is data: the paths, metadata, claims, token responses and errors of the imitated provider. It
// can make a request accepted, by `grant_types` and `accepts`, but rejects none.

import { GRANT_TYPES } from '../records/enumerations.ts';
import type { GrantType, Provider, Shape, ShapeError } from '../records/schemas.ts';
import { brokenRules, TEMPLATE_NAMES, type TemplateName } from './template-rules.ts';
import { type Compilation, compileTemplate, type Template } from './template.ts';
import { REFUSALS } from '../checks/refusals/index.ts';
import { below, nameInPath, type Problem } from '../records/problems.ts';
import { isJsonObject } from '../../json.ts';
import { resolvePaths, type ShapePaths } from './paths.ts';
import { auth0 } from './providers/auth0.ts';
import { entra } from './providers/entra.ts';
import { keycloak } from './providers/keycloak.ts';
import { okta } from './providers/okta.ts';

type Templates = Readonly<Record<TemplateName, Template>>;

type AcceptedDeviation = NonNullable<Shape['accepts']>[number];

/** How a refusal is answered. Omitted conditions match every refusal. */
export interface ErrorRule extends Readonly<Omit<ShapeError, 'body'>> {
  /** null to leave it as without a shape. */
  readonly body: Template | null;
}

export interface ResolvedShape extends ShapePaths {
  /** The shape as in the workspace. */
  readonly given: Shape;
  readonly name: string;
  /** The first value of each parameter. */
  readonly parameters: Readonly<Record<string, string>>;
  /** null omits a member. */
  readonly metadata: Readonly<Record<string, unknown>>;
  readonly templates: Partial<Templates>;
  readonly errors: readonly ErrorRule[];
  /** null for the typ of the token's format. */
  readonly access_token_typ: string | null;
  readonly refresh_token_format: 'opaque' | 'jwt';
  /** The provider's name of a parameter, and the standard name. */
  readonly logout_parameters: ReadonlyMap<string, string>;
  /** The provider's name of a grant, and the standard grant_type. */
  readonly grant_types: ReadonlyMap<string, GrantType>;
  /** What the provider accepts although the standards do not. */
  readonly accepts: ReadonlySet<AcceptedDeviation>;
}

/** The parameters of the logout endpoint (OpenID Connect RP-Initiated Logout 2). */
const LOGOUT_PARAMETERS = ['post_logout_redirect_uri', 'id_token_hint', 'client_id', 'state'];

/** Returns the provider's shape with these members overriding its own, one level deep. */
function withOverrides(shipped: Shape, given: Shape): Shape {
  const merged = Object.entries(given).map(([name, value]: [string, unknown]) => {
    const former: unknown = shipped[name as keyof Shape];
    return [name, isJsonObject(former) && isJsonObject(value) ? { ...former, ...value } : value];
  });
  return { ...shipped, ...(Object.fromEntries(merged) as Shape) };
}

/** Returns the shape including the members of its provider. */
export const wholeShape = (given: Shape): Shape =>
  given.provider === undefined ? given : withOverrides(SHIPPED_SHAPES[given.provider], given);

/** Templates with names of their own; those of the others are the names of claims. */
const OF_RESPONSES = ['token_response', 'device_response'] as const;

function compileTemplates(shape: Shape, parameters: readonly string[], problems: Problem[]) {
  const compiled = TEMPLATE_NAMES.flatMap((name) => {
    const template = shape[name];
    if (template === undefined) return [];
    const context = OF_RESPONSES.find((one) => one === name) ?? 'claims';
    return [[name, compileTemplate(template, name, { context, parameters, problems })] as const];
  });
  return Object.fromEntries(compiled) as Partial<Templates>;
}

function compileErrors({ errors = [] }: Shape, compilation: Compilation): ErrorRule[] {
  return errors.map(({ body, ...rule }, index) => {
    const path = `errors[${index}]`;
    const { reason } = rule;
    if (reason !== undefined && !Object.hasOwn(REFUSALS, reason)) {
      const message = `is "${reason}", which is not a reason for a rejection`;
      compilation.problems.push({ path: `${path}.reason`, message });
    }
    const filled = body === undefined ? null : compileTemplate(body, `${path}.body`, compilation);
    return { ...rule, body: filled };
  });
}

function wrongLogoutParameters({ logout_parameters = {} }: Shape): Problem[] {
  return Object.entries(logout_parameters)
    .filter(([, target]) => !LOGOUT_PARAMETERS.includes(target))
    .map(([name]) => ({
      path: `logout_parameters.${name}`,
      message: `must be one of ${LOGOUT_PARAMETERS.join(', ')}`,
    }));
}

function wrongGrantNames({ grant_types = {} }: Shape): Problem[] {
  return Object.keys(grant_types)
    .filter((name) => (GRANT_TYPES as readonly string[]).includes(name))
    .map((name) => ({
      path: below('grant_types', nameInPath(name)),
      message: 'is the standard name of a grant, which no shape can change',
    }));
}

/** @param given a shape that the schema accepts; the paths of problems are relative to it */
export function resolveShape(
  given: Shape,
): { readonly value: ResolvedShape } | { readonly problems: readonly Problem[] } {
  const shape = wholeShape(given);
  const { parameters = {}, metadata = {}, logout_parameters = {} } = shape;
  const names = Object.keys(parameters);
  const { problems: ofPaths, ...paths } = resolvePaths(shape);
  const problems = [
    ...ofPaths,
    ...brokenRules(shape),
    ...wrongLogoutParameters(shape),
    ...wrongGrantNames(shape),
  ];
  const templates = compileTemplates(shape, names, problems);
  const errors = compileErrors(shape, { context: 'error', parameters: names, problems });
  if (problems.length > 0) return { problems };
  const first = names.map((name) => [name, parameters[name]?.[0] ?? '']);
  return {
    value: {
      given,
      name: shape.name ?? given.provider ?? 'custom',
      ...paths,
      parameters: Object.fromEntries(first) as Record<string, string>,
      metadata,
      templates,
      errors,
      access_token_typ: shape.access_token_typ ?? null,
      refresh_token_format: shape.refresh_token_format ?? 'opaque',
      logout_parameters: new Map(Object.entries(logout_parameters)),
      grant_types: new Map(Object.entries(shape.grant_types ?? {})),
      accepts: new Set(shape.accepts),
    },
  };
}

export const SHIPPED_SHAPES: Readonly<Record<Provider, Shape>> = { auth0, okta, entra, keycloak };
