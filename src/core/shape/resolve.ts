// A shape made ready for use: with the members of its provider, its paths written out, its templates compiled, and
// everything that is wrong with it.

import { REFUSALS } from '../checks/refusals/index.ts';
import type { Problem } from '../records/problems.ts';
import type { Shape } from '../records/schemas.ts';
import { isJsonObject } from '../records/json-object.ts';
import type { ErrorRule, ResolvedShape, Templates } from './shape.ts';
import { resolvePaths } from './paths.ts';
import { brokenRules, TEMPLATE_NAMES } from './rules.ts';
import { compileTemplate, type Compilation } from './template.ts';
import { SHIPPED_SHAPES } from './providers/index.ts';

/** Parameters that the logout endpoint reads (OpenID Connect RP-Initiated Logout 2). */
const LOGOUT_PARAMETERS = ['post_logout_redirect_uri', 'id_token_hint', 'client_id', 'state'];

/** Members of a provider's shape with those given in their place, one level down. */
function over(shipped: Shape, given: Shape): Shape {
  const merged = Object.entries(given).map(([name, value]: [string, unknown]) => {
    const former: unknown = shipped[name as keyof Shape];
    return [name, isJsonObject(former) && isJsonObject(value) ? { ...former, ...value } : value];
  });
  return { ...shipped, ...(Object.fromEntries(merged) as Shape) };
}

/** The shape with the members of the provider that it names. */
export const wholeShape = (given: Shape): Shape =>
  given.provider === undefined ? given : over(SHIPPED_SHAPES[given.provider], given);

function compileTemplates(shape: Shape, parameters: readonly string[], problems: Problem[]) {
  const compiled = TEMPLATE_NAMES.flatMap((name) => {
    const template = shape[name];
    if (template === undefined) return [];
    const context = name === 'token_response' ? 'token_response' : 'claims';
    return [[name, compileTemplate(template, name, { context, parameters, problems })] as const];
  });
  return Object.fromEntries(compiled) as Partial<Templates>;
}

function compileErrors({ errors = [] }: Shape, compilation: Compilation): ErrorRule[] {
  return errors.map(({ body, ...rule }, index) => {
    const path = `errors[${index}]`;
    const { reason } = rule;
    if (reason !== undefined && !Object.hasOwn(REFUSALS, reason)) {
      const message = `is "${reason}", which is no reason for a rejection`;
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

/** @param given as the schema has it; paths of problems begin below it */
export function resolveShape(
  given: Shape,
): { readonly value: ResolvedShape } | { readonly problems: readonly Problem[] } {
  const shape = wholeShape(given);
  const { parameters = {}, metadata = {}, logout_parameters = {} } = shape;
  const names = Object.keys(parameters);
  const { problems: ofPaths, ...paths } = resolvePaths(shape);
  const problems = [...ofPaths, ...brokenRules(shape), ...wrongLogoutParameters(shape)];
  const templates = compileTemplates(shape, names, problems);
  const errors = compileErrors(shape, { context: 'error', parameters: names, problems });
  if (problems.length > 0) return { problems };
  const first = names.map((name) => [name, parameters[name]?.[0] ?? '']);
  return {
    value: {
      given,
      name: shape.name ?? given.provider ?? 'of its own',
      ...paths,
      parameters: Object.fromEntries(first) as Record<string, string>,
      metadata,
      templates,
      errors,
      access_token_typ: shape.access_token_typ ?? null,
      refresh_token_format: shape.refresh_token_format ?? 'opaque',
      logout_parameters: new Map(Object.entries(logout_parameters)),
    },
  };
}
