// The records of a workspace as zod schemas, the only place where a stored field is defined. Types are inferred here.
// The rest of core uses only the types, so that zod is loaded only to read files and control requests.

import type { z } from 'zod/mini';
import type {
  DIALECTS,
  CLIENT_GRANTS,
  GRANT_TYPES,
  PROFILES,
  PROVIDERS,
  SENDERS,
  SIGN_IN_AUTHENTICATIONS,
  SIGNING_ALGS,
} from './enumerations.ts';
import type { USER_CODE_FORMAT_WORDS } from './enumeration-words.ts';
import type { apiSchema } from './api.ts';
import type { faultSchema } from './fault.ts';
import type { audienceSchema, clientSchema, userSchema } from './registered.ts';
import type { checkRecordSchema, savedFlowSchema, savedRequestSchema } from './saved.ts';
import type { settingsSchema } from './settings.ts';
import type { shapeSchema } from './shape.ts';
import type { signingKeySchema } from './usual-workspace.ts';
import type { workspaceSchema } from './workspace.ts';

export * from './enumerations.ts';
export * from './enumeration-words.ts';
export { apiRuleSchema, apiSchema } from './api.ts';
export { faultSchema, MAX_FAULTS } from './fault.ts';
export { claimsSchema, redirectUriSchema } from './members.ts';
export { audienceSchema, clientSchema, userSchema } from './registered.ts';
export { savedFlowSchema, savedRequestSchema, SCENARIO_FORMAT } from './saved.ts';
export { settingsSchema } from './settings.ts';
export { shapeSchema } from './shape.ts';
export { signingKeySchema } from './usual-workspace.ts';
export { workspaceSchema } from './workspace.ts';

export type Profile = (typeof PROFILES)[number];
export type Dialect = (typeof DIALECTS)[number];
export type AccessTokenFormat = Settings['access_token_format'];
export type SigningAlg = (typeof SIGNING_ALGS)[number];
export type Authentication = (typeof SIGN_IN_AUTHENTICATIONS)[number];
export type Sender = (typeof SENDERS)[number];
export type UserCodeFormat = keyof typeof USER_CODE_FORMAT_WORDS;
export type GrantType = (typeof GRANT_TYPES)[number];
export type ClientGrant = (typeof CLIENT_GRANTS)[number];
export type Client = z.infer<typeof clientSchema>;
export type User = z.infer<typeof userSchema>;
export type Audience = z.infer<typeof audienceSchema>;
export type Api = z.infer<typeof apiSchema>;
export type ApiRule = Api['rules'][number];
export type Settings = z.infer<typeof settingsSchema>;
export type Shape = z.infer<typeof shapeSchema>;
/** How a provider answers some errors. */
export type ShapeError = NonNullable<Shape['errors']>[number];
export type Provider = (typeof PROVIDERS)[number];
export type Fault = z.infer<typeof faultSchema>;
export type SavedFlow = z.infer<typeof savedFlowSchema>;
export type SavedRequest = z.infer<typeof savedRequestSchema>;
export type CheckRecord = z.infer<typeof checkRecordSchema>;
export type SigningKeyJwk = z.infer<typeof signingKeySchema>;
export type Workspace = z.infer<typeof workspaceSchema>;

/** Input types, in which members with a default are optional. */
export type ClientInput = z.input<typeof clientSchema>;
export type UserInput = z.input<typeof userSchema>;
export type AudienceInput = z.input<typeof audienceSchema>;
export type ApiInput = z.input<typeof apiSchema>;
export type SettingsInput = z.input<typeof settingsSchema>;
export type WorkspaceInput = z.input<typeof workspaceSchema>;
