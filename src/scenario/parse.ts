// Parses a scenario and checks it completely before anything is run; every problem has its position in the file. The
// caller checks the workspace, because it knows what the scenario's members are merged into.

import { type Place, readPlacedJson } from '../core/records/json-text.ts';
import {
  IN_WORDS,
  type Issue,
  type Problem,
  problemsOf,
  within,
} from '../core/records/problems.ts';
import type { Workspace } from '../core/records/schemas.ts';
import { scenarioSchema, type Scenario } from './schema.ts';
import { createHint, type Hint, checkUses } from './uses.ts';
import type { z } from 'zod/mini';
import { mergePatch } from '../core/records/merge-patch.ts';
import { isJsonObject, membersOf } from '../json.ts';
import { settingsSchema, workspaceSchema } from '../control/schemas.ts';

// The members that the schema allows at a path, to suggest the correct name for a misspelt one.

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

/** Returns the allowed names; empty if any name or none is allowed. */
function membersAt(schema: z.core.$ZodType, path: readonly PropertyKey[]): readonly string[] {
  let at: z.core.$ZodType | undefined = schema;
  for (const segment of path) at = at === undefined ? undefined : schemaBelow(at, segment);
  return at === undefined ? [] : Object.keys(definitionOf(unwrapped(at)).shape ?? {});
}

interface PlacedProblem extends Problem, Place {}

export interface ParsedScenario {
  readonly scenario: Scenario;
  /** The workspace in which the steps run. */
  readonly workspace: Workspace;
  /** Returns where a step, counted from 0, begins in the file. */
  readonly placeOfStep: (index: number) => Place;
}

/** Adds suggestions to problems of unknown members. */
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
 * Returns the workspace for the steps, or every problem of the scenario's `workspace` with its path.
 * @param part `workspace` of the document; undefined if the scenario has none
 */
export type CheckWorkspace = (part: unknown) => Promise<Workspace | readonly Problem[]>;

const isList = (found: Workspace | readonly Problem[]): found is readonly Problem[] =>
  Array.isArray(found);

/** Both the schema and the check of the workspace report problems of that part. */
function withoutRepeated(problems: readonly Problem[]): Problem[] {
  const seen = new Set<string>();
  return problems.filter(({ path, message }) => {
    const [plain = message] = message.split(';');
    const key = `${path} ${plain}`;
    return seen.size !== seen.add(key).size;
  });
}

/** Returns the scenario, or all of its problems in the order of the file. */
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
  const members = membersOf(value);
  const checked = await checkWorkspace(members['workspace']);
  const workspace = isList(checked) ? null : checked;
  const steps = Array.isArray(members['steps']) ? (members['steps'] as unknown[]) : [];
  const hint = createHint();
  const problems = [
    ...ofText,
    ...withHints(error?.issues ?? [], value, hint),
    ...(isList(checked) ? within('workspace', checked) : []),
    ...checkUses(steps, workspace, hint),
  ];
  if (problems.length > 0 || data === undefined || workspace === null) return placed(problems);
  return {
    scenario: value as Scenario,
    workspace,
    placeOfStep: (index) => placeOf(`steps[${index}]`),
  };
}

/** Returns the records of the scenario, then the present ones that it does not replace. */
function together<T>(own: unknown, present: readonly T[], key: keyof T): unknown {
  if (own === undefined) return present;
  if (!Array.isArray(own)) return own;
  const named = new Set(own.map((record) => (isJsonObject(record) ? record[String(key)] : null)));
  return [...(own as unknown[]), ...present.filter((record) => !named.has(record[key]))];
}

/**
 * Returns the settings into which a scenario's settings are merged, like those of the demo workspace in `grantbench
 * run`. Settings whose temporary change would lose exchanges or keys are kept.
 */
function settingsFor(own: unknown, { settings }: Workspace): unknown {
  const { issuer, signing_alg, capture } = settings;
  const defaults = settingsSchema.parse({ issuer, signing_alg, capture });
  return own === undefined ? defaults : mergePatch(defaults, own);
}

/** Other clients remain, because removing them would revoke their credentials. */
function withMembers(part: unknown, present: Workspace): Record<string, unknown> {
  const { clients, users, audiences, apis, settings, shape } = membersOf(part);
  return {
    ...present,
    clients: together(clients, present.clients, 'client_id'),
    users: together(users, present.users, 'sub'),
    audiences: together(audiences, present.audiences, 'uri'),
    ...(apis === undefined ? {} : { apis: together(apis, present.apis ?? [], 'name') }),
    settings: settingsFor(settings, present),
    ...(shape === undefined ? {} : { shape }),
    faults: [],
  };
}

/**
 * Parses a scenario for a sandbox in use: its steps run in the present workspace, with the scenario's members added.
 * @param present the current workspace
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
