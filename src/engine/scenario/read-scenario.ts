// A scenario from its text: checked as a whole before anything is run, every problem told with its place
// in the file.

import { scenarioSchema, type Scenario } from '../../control/scenario-schema.ts';
import type { Place } from '../../core/json-places.ts';
import { readPlacedJson } from '../../core/json-text.ts';
import type { Issue, Problem } from '../../core/problems.ts';
import { below, problemsOf } from '../../core/problems.ts';
import type { Workspace } from '../../core/schemas.ts';
import { takeGivenWorkspace } from '../given-workspace.ts';
import { WorkspaceError } from '../workspace.ts';
import { membersAt } from './known-members.ts';
import { createHint, type Hint } from './nearest.ts';
import { checkUses } from './uses.ts';

export interface PlacedProblem extends Problem, Place {}

export interface ReadScenario {
  readonly scenario: Scenario;
  /** The demo workspace with the scenario's own members. */
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

async function checkedWorkspace(part: unknown): Promise<Workspace | readonly Problem[]> {
  const { clients, users, audiences, settings } = Object(part) as Record<string, unknown>;
  const members = { clients, users, audiences, settings };
  try {
    return await takeGivenWorkspace({ members, signing_alg: 'ES256' }, 'scenario');
  } catch (error) {
    if (!(error instanceof WorkspaceError)) throw error;
    return error.problems.map(({ path, message }) => ({ path: below('workspace', path), message }));
  }
}

const isList = (found: Workspace | readonly Problem[]): found is readonly Problem[] =>
  Array.isArray(found);

/** What the schema tells of the workspace part, its own check tells again. */
function merged(problems: readonly Problem[]): Problem[] {
  const seen = new Set<string>();
  return problems.filter(({ path, message }) => {
    const [plain = message] = message.split(';');
    const key = `${path} ${plain}`;
    return seen.size !== seen.add(key).size;
  });
}

/** Everything that is wrong with it, or the scenario. */
export async function readScenario(
  text: string,
): Promise<ReadScenario | { readonly problems: readonly PlacedProblem[] }> {
  const { value, problems: ofText, placeOf } = readPlacedJson(text);
  const placed = (problems: readonly Problem[]) => ({
    problems: merged(problems)
      .map((problem) => ({ ...problem, ...placeOf(problem.path) }))
      .sort((a, b) => a.line - b.line || a.column - b.column),
  });
  if (value === undefined) return placed(ofText);
  const { error, data } = scenarioSchema.safeParse(value);
  const members = Object(value) as Readonly<Record<string, unknown>>;
  const workspace = await checkedWorkspace(members['workspace']);
  const steps = Array.isArray(members['steps']) ? (members['steps'] as unknown[]) : [];
  const hint = createHint();
  const problems = [
    ...ofText,
    ...withHints(error?.issues ?? [], value, hint),
    ...(isList(workspace) ? workspace : []),
    ...checkUses(steps, isList(workspace) ? null : workspace, hint),
  ];
  if (problems.length > 0 || data === undefined || isList(workspace)) return placed(problems);
  return {
    scenario: value as Scenario,
    workspace,
    placeOfStep: (index) => placeOf(`steps[${index}]`),
  };
}
