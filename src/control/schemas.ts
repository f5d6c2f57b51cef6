// What the control operations say and hear, as schemas; the workspace's own records come from core.
// `*_at` are RFC 3339 UTC with milliseconds on the sandbox clock, `*_seconds` whole seconds,
// `*_ms` durations of the stopwatch. A null stands for "none".

export * from './schemas/callbacks.ts';
export * from './schemas/credentials.ts';
export * from './schemas/devices.ts';
export * from './schemas/exchanges.ts';
export * from './schemas/feed.ts';
export * from './schemas/saved.ts';
export * from './schemas/server.ts';
export * from './schemas/shape.ts';
export * from './schemas/test-tokens.ts';
export * from './schemas/throttle.ts';
export * from './schemas/users.ts';
export { listOf, pageSchema, secretsSchema } from './schemas/values.ts';
export {
  ACCESS_TOKEN_FORMATS,
  APPLICATION_TYPES,
  AUTH_METHODS,
  DIALECTS,
  DIALECT_WORDS,
  GRANT_TYPES,
  PROFILES,
  PROFILE_WORDS,
  PROVIDERS,
  PROVIDER_WORDS,
  REGISTRATION_MODES,
  SCENARIO_FORMAT,
  THROTTLE_MODES,
  audienceSchema,
  claimsSchema,
  clientSchema,
  redirectUriSchema,
  savedFlowSchema,
  savedRequestSchema,
  settingsSchema,
  shapeSchema,
  shortGrantName,
  userSchema,
  workspaceSchema,
} from '../core/records/schemas.ts';
export {
  conflictOf,
  MISTAKE_GROUPS,
  TOKEN_MISTAKES,
  TOKEN_MISTAKE_NAMES,
} from '../core/records/token-mistakes.ts';
export type { TokenMistake } from '../core/records/token-mistakes.ts';
export { IN_WORDS } from '../core/records/in-words.ts';
export type {
  Audience,
  AudienceInput,
  Client,
  ClientInput,
  Dialect,
  GrantType,
  Profile,
  Provider,
  SavedFlow,
  SavedRequest,
  Sender,
  Settings,
  SettingsInput,
  Shape,
  UserInput,
  WorkspaceInput,
} from '../core/records/schemas.ts';
