// What an operation may fail with: the contract's errors, input that the contract refuses, and faults
// of our own, of which only the fact is told.

import { ORPCError } from '@orpc/server';
import { isJsonObject } from '../../core/records/json-object.ts';
import { invalid } from './control-error.ts';
import type { Issue } from '../../core/records/problems.ts';
import { problemsOf } from '../../core/records/problems.ts';

const FAULT = 'an internal error occurred in Grantbench; see its output for details';

function issuesOf({ code, data }: ORPCError<string, unknown>): readonly Issue[] | null {
  if (code !== 'BAD_REQUEST' || !isJsonObject(data)) return null;
  const { issues } = data;
  return Array.isArray(issues) ? (issues as Issue[]) : null;
}

/**
 * The error as the contract names it.
 * @param input what the operation was asked
 * @param onFault told of everything that is no expected error
 */
export function expectedError(
  error: unknown,
  input: unknown,
  onFault: (fault: unknown) => void,
): Error {
  if (!(error instanceof ORPCError)) {
    onFault(error);
    return new ORPCError('fault', { status: 500, message: FAULT });
  }
  const issues = issuesOf(error as ORPCError<string, unknown>);
  return issues === null ? error : invalid(problemsOf(issues, input));
}
