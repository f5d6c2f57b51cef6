// Checks a workspace file without using it, and returns all problems with path and position.

import { type Place, readPlacedJson } from '../../core/records/json-text.ts';
import type { Problem } from '../../core/records/problems.ts';
import type { Workspace } from '../../core/records/schemas.ts';
import { checkWorkspace } from './document.ts';

export type PlacedProblem = Problem & Place;

/**
 * Returns the workspace with its defaults, or every problem in the order of the file.
 * @param others returns additional problems of a valid workspace
 */
export async function checkWorkspaceText(
  text: string,
  others: (workspace: Workspace) => readonly Problem[] = () => [],
): Promise<{ readonly value: Workspace } | { readonly problems: readonly PlacedProblem[] }> {
  const { value, problems: ofText, placeOf } = readPlacedJson(text);
  const checked = value === undefined ? { problems: [] } : await checkWorkspace(value);
  const ofWorkspace = 'problems' in checked ? checked.problems : others(checked.value);
  const problems = [...ofText, ...ofWorkspace];
  if (problems.length === 0 && 'value' in checked) return checked;
  return {
    problems: problems
      .map((problem) => ({ ...problem, ...placeOf(problem.path) }))
      .sort((a, b) => a.line - b.line || a.column - b.column),
  };
}
