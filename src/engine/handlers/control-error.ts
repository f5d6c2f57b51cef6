// The expected errors of control operations, as in the contract.

import { ORPCError } from '@orpc/server';
import { errors } from '../../control/operations/op.ts';
import { type Problem, sentence } from '../../core/records/problems.ts';

type Code = keyof typeof errors;

export function controlError(code: Code, message: string, field?: string): Error {
  return new ORPCError(code, {
    status: errors[code].status,
    message,
    data: field === undefined || field === '' ? undefined : { field },
  });
}

export const notFound = (what: string, key: string | number): Error =>
  controlError('not_found', `there is no ${what} "${key}"`);

/** Returns the record. @throws not_found if there is none with this key */
export function existing<T>(record: T | null | undefined, what: string, key: string | number): T {
  if (record === null || record === undefined) throw notFound(what, key);
  return record;
}

export const conflict = (message: string, field?: string): Error =>
  controlError('conflict', message, field);

/** The error of an invalid member; the message follows the path. */
export const invalidField = (field: string, message: string): Error =>
  controlError('invalid', `${field} ${message}`, field);

/** The error with all problems; `field` is the first one. */
export const invalid = (problems: readonly Problem[]): Error =>
  controlError('invalid', sentence(problems), problems[0]?.path);
