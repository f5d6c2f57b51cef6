// A scenario from its text: checked as a whole before anything is run, every problem with its place in the
// file. The workspace that its steps find is checked by the caller, who knows what it is merged into.

import { type Place, readPlacedJson } from '../core/records/json-text.ts';
import { below, IN_WORDS, type Issue, type Problem, problemsOf } from '../core/records/problems.ts';
import type { Workspace } from '../core/records/schemas.ts';
import { scenarioSchema, type Scenario } from './schema.ts';
import { createHint, type Hint, checkUses } from './uses.ts';
import type { z } from 'zod/mini';
import { mergePatch } from '../core/records/merge-patch.ts';
import { isJsonObject } from '../oauth/json-object.ts';
import { settingsSchema, workspaceSchema } from '../control/schemas.ts';

// The members that a scenario may have at a path, by its schema: the problem of a misspelt one names the one that was
// probably meant.

type Definition = {
  readonly type: string;
  readonly innerType?: z.core.$ZodType;
  readonly element?: z.core.$ZodType;
  readonly valueType?: z.core.$ZodType;
  readonly shape?: Readonly<Record<string, z.core.$ZodType>>;
};

const definitionOf = ({ _zod }: z.core.$ZodType): Definition => _zod.def;

function unwrapped(schema: z.core.$ZodType): z.core.$ZodType {
  const { innerType } = definitionOf(schema);
  return innerType === undefined ? schema : unwrapped(innerType);
}

function schemaBelow(schema: z.core.$ZodType, segment: PropertyKey): z.core.$ZodType | undefined {
  const { element, shape, valueType } = definitionOf(unwrapped(schema));
  return element ?? valueType ?? shape?.[String(segment)];
}

/** Empty where any name will do, or none. */
function membersAt(schema: z.core.$ZodType, path: readonly PropertyKey[]): readonly string[] {
  let at: z.core.$ZodType | undefined = schema;
  for (const segment of path) at = at === undefined ? undefined : schemaBelow(at, segment);
  return at === undefined ? [] : Object.keys(definitionOf(unwrapped(at)).shape ?? {});
}

interface PlacedProblem extends Problem, Place {}

export interface ParsedScenario {
  readonly scenario: Scenario;
  /** What the steps find registered. */
  readonly workspace: Workspace;
  /** Where a step begins in the file, counted from 0. */
  readonly placeOfStep: (index: number) => Place;
}

/** Unknown members with what was probably meant. */
function withHints(issues: readonly Issue[], data: unknown, hint: Hint): Problem[] {
  return issues.flatMap((issue) => {
    const problems = problemsOf([issue], data);
    if (issue.code !== 'unrecognized_keys') return problems;
    const known = membersAt(scenarioSchema, issue.path);
    return problems.map(({ path, message }, index) => ({
      path,
      message: `${message}${hint(issue.keys?.[index] ?? '', known)}`,
    }));
  });
}

/**
 * The workspace that the steps find, or every problem of the scenario's `workspace`, by its path in there.
 * @param part `workspace` as it is written; undefined when the scenario has none
 */
export type CheckWorkspace = (part: unknown) => Promise<Workspace | readonly Problem[]>;

const isList = (found: Workspace | readonly Problem[]): found is readonly Problem[] =>
  Array.isArray(found);

const inWorkspace = ({ path, message }: Problem): Problem => ({
  path: below('workspace', path),
  message,
});

/** The schema and the check of the workspace report the same problems of that part. */
function withoutRepeated(problems: readonly Problem[]): Problem[] {
  const seen = new Set<string>();
  return problems.filter(({ path, message }) => {
    const [plain = message] = message.split(';');
    const key = `${path} ${plain}`;
    return seen.size !== seen.add(key).size;
  });
}

/** The scenario, or all of its problems in the order of the file. */
export async function parseScenario(
  text: string,
  checkWorkspace: CheckWorkspace,
): Promise<ParsedScenario | { readonly problems: readonly PlacedProblem[] }> {
  const { value, problems: ofText, placeOf } = readPlacedJson(text);
  const placed = (problems: readonly Problem[]) => ({
    problems: withoutRepeated(problems)
      .map((problem) => ({ ...problem, ...placeOf(problem.path) }))
      .sort((a, b) => a.line - b.line || a.column - b.column),
  });
  if (value === undefined) return placed(ofText);
  const { error, data } = scenarioSchema.safeParse(value, IN_WORDS);
  const members = Object(value) as Readonly<Record<string, unknown>>;
  const checked = await checkWorkspace(members['workspace']);
  const workspace = isList(checked) ? null : checked;
  const steps = Array.isArray(members['steps']) ? (members['steps'] as unknown[]) : [];
  const hint = createHint();
  const problems = [
    ...ofText,
    ...withHints(error?.issues ?? [], value, hint),
    ...(isList(checked) ? checked.map(inWorkspace) : []),
    ...checkUses(steps, workspace, hint),
  ];
  if (problems.length > 0 || data === undefined || workspace === null) return placed(problems);
  return {
    scenario: value as Scenario,
    workspace,
    placeOfStep: (index) => placeOf(`steps[${index}]`),
  };
}

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

/**
 * A scenario for a sandbox that is in use already: what its steps find registered is what there is, with the scenario's
 * own members put in.
 * @param present what is registered and set now
 */
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
