import type { ClientCase } from './index.cjs';

/**
 * The cases of a client check, in the order in which they are run: for Jest, Vitest and Playwright, which declare tests
 * before anything is started, as in `test.each(clientCases)('$title', …)`.
 */
export const clientCases: readonly ClientCase[];
