// The schemas of inputs and outputs of the control operations; the records of the workspace come from core. `*_at`
// are RFC 3339 UTC with milliseconds on the sandbox clock, `*_seconds` whole seconds, `*_ms` durations in monotonic
// time. null means "none".

export * from './schemas/client-checks.ts';
export * from './schemas/sign-ins.ts';
export * from './schemas/credentials.ts';
export * from './schemas/exchanges.ts';
export * from './schemas/feed.ts';
export * from './schemas/holds.ts';
export * from './schemas/forecast.ts';
export * from './schemas/refusals.ts';
export * from './schemas/workspace.ts';
export * from './schemas/server.ts';
export { listOf, pageSchema, placeSchema, secretsSchema } from './schemas/values.ts';
export * from '../core/records/schemas.ts';
// As control operations return it, not as the workspace has it.
export type { User } from './schemas/workspace.ts';
