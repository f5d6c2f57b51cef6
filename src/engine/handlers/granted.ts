// What is ordered directly, with the member that is at fault where it cannot be granted.

import { AuthorizationProblem } from '../../core/authorization/authorize.ts';
import { invalidField } from './control-error.ts';

export async function granted<T>(grant: Promise<T>): Promise<T> {
  try {
    return await grant;
  } catch (error) {
    if (error instanceof AuthorizationProblem) throw invalidField(error.field, error.message);
    throw error;
  }
}
