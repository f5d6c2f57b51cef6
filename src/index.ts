// The embeddable library: one sandbox, or many side by side, in a test's own process. This file lists its public API. It
// uses neither Electron nor the page.

export { startGrantbench } from './library/start.ts';
export type { FaultShorthand, FaultOrder } from './library/fault-order.ts';
export type { AnsweredRequest } from './library/explain.ts';
export type { GrantbenchOptions } from './library/options.ts';
export type {
  CodeOrder,
  ExchangeFilter,
  Grantbench,
  Login,
  IssuedCode,
  IssuedTokens,
  SandboxClient,
  ThrottleLimits,
  TokenOrder,
} from './library/grantbench.ts';
export type { ControlClient } from './control/contract.ts';
export type { FaultState } from './control/fault-schemas.ts';
export type {
  Audience,
  Check,
  CheckResult,
  ClientCase,
  Client,
  ClockState,
  Exchange,
  ExchangeSummary,
  Settings,
  User,
} from './control/schemas.ts';
