// What an operation may fail with: the contract's errors, input that the contract refuses, and faults
// of our own, of which only the fact is reported.

import { ORPCError, ValidationError } from '@orpc/server';
import { IN_WORDS } from '../../core/records/in-words.ts';
import { problemsOf } from '../../core/records/problems.ts';
import type { z } from '../../core/records/zod.ts';
import { invalid } from './control-error.ts';

const FAULT = 'an internal error occurred in Grantbench; see its output for details';

/** What was asked of an operation. */
interface Asked {
  /** By the contract; oRPC knows of it that it is a schema, the contract has zod's alone. */
  readonly schema: unknown;
  readonly input: unknown;
}

/** oRPC asks a schema in zod's words and not in ours, so what it refused is asked about again. */
function refusal({ schema, input }: Asked): Error {
  const { error } = (schema as z.ZodMiniType).safeParse(input, IN_WORDS);
  return invalid(problemsOf(error?.issues ?? [], input));
}

const isRefusedInput = ({ code, cause }: ORPCError<string, unknown>): boolean =>
  code === 'BAD_REQUEST' && cause instanceof ValidationError;

/**
 * The error as the contract names it.
 * @param onFault called with everything that is no expected error
 */
export function expectedError(
  error: unknown,
  asked: Asked,
  onFault: (fault: unknown) => void,
): Error {
  if (!(error instanceof ORPCError)) {
    onFault(error);
    return new ORPCError('fault', { status: 500, message: FAULT });
  }
  return isRefusedInput(error as ORPCError<string, unknown>) ? refusal(asked) : error;
}
