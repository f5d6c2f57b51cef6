// The entry `grantbench/cases`, apart from the library, so that a sandbox starts without reading the cases.

import type { ClientCase } from '../control/schemas.ts';
import { LISTED_CASES } from '../engine/client-cases.ts';

/**
 * The cases of a client check, in the order in which they are run, as `cases()` returns them: for Jest, Vitest and
 * Playwright, which declare tests before anything is started, as in `test.each(clientCases)('$title', …)`.
 */
export const clientCases: readonly ClientCase[] = LISTED_CASES;
