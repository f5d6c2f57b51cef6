// Every control operation: input, output, errors, REST route and descriptions, but no implementation. The window uses
// it over a MessagePort, a browser tab over a WebSocket, automation over REST with the OpenAPI document generated
// from it, and the command line with commands generated from it. Each resource has a file in operations/; the schemas
// of registered records are those of core.

import type { ContractRouterClient } from '@orpc/contract';
import { callbacks, devices } from './operations/sign-ins.ts';
import { clientChecks } from './operations/client-checks.ts';
import { codes, lineages, tokens } from './operations/credentials.ts';
import { advisories, events, exchanges, refusals, requests } from './operations/exchanges.ts';
import { faults } from './operations/faults.ts';
import { holds } from './operations/holds.ts';
import { apis, audiences, clients, users } from './operations/registered.ts';
import { savedFlows, savedRequests } from './operations/saved.ts';
import { clock, keys, logout, reset, server } from './operations/server.ts';
import { throttle } from './operations/throttling.ts';
import { settings, shape, workspace } from './operations/workspace.ts';

/** In display order. */
export const contract = {
  clients,
  users,
  audiences,
  apis,
  codes,
  callbacks,
  tokens,
  lineages,
  devices,
  requests,
  exchanges,
  refusals,
  advisories,
  throttle,
  faults,
  clientChecks,
  holds,
  settings,
  shape,
  workspace,
  savedFlows,
  savedRequests,
  clock,
  keys,
  server,
  reset,
  logout,
  events,
};

export type Contract = typeof contract;

/** The contract as callers use it, whatever the transport. */
export type ControlClient = ContractRouterClient<Contract>;

type Group = Exclude<keyof Contract, 'reset' | 'logout' | 'events'>;

/** The description of each group of operations. Operations without a group belong to the server's. */
export const GROUP_WORDS: Readonly<Record<Group, string>> = {
  clients: 'Apps that request tokens.',
  users: 'People who sign in at /authorize.',
  audiences: 'APIs that access tokens are for.',
  apis: 'Protected APIs that the sandbox serves itself.',
  codes: 'Authorization codes, issued without a browser.',
  callbacks: 'Redirects of browser sign-ins, received on a loopback address.',
  tokens: 'Codes and tokens: issue, list, revoke, expire, or sign for a test.',
  lineages: 'Lineages: all credentials of one authorization.',
  devices: 'Devices that are waiting for a user (RFC 8628).',
  requests: 'Requests sent from the machine of the sandbox.',
  exchanges: 'Requests and responses, with the trace of each evaluation.',
  refusals: 'Reasons why requests are rejected.',
  advisories: 'Redundant token requests.',
  throttle: 'Throttle counters.',
  faults: 'Fault injection rules.',
  clientChecks: 'How the app under test handles a server that misbehaves.',
  holds: 'Exchanges of the app under test that are held until someone decides.',
  settings: 'Settings of the sandbox.',
  shape: 'The provider that the sandbox imitates.',
  workspace: 'All records and settings as one document.',
  savedFlows: 'Flows saved by name in the workspace, as scenarios.',
  savedRequests: 'Requests saved by name in the workspace.',
  clock: 'The sandbox clock.',
  keys: 'Keys that sign tokens.',
  server: 'The running authorization server.',
};
