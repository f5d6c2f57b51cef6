// Every control operation: input, output, errors, REST route and words, and nothing of how it is carried
// out. The window speaks it over a MessagePort, the browser tab over a WebSocket, automation over REST with
// the OpenAPI document made of it, the command line by the commands made of it. One file in operations/ has each resource.

import { callbacks, devices } from './operations/sign-ins.ts';
import { codes, lineages, tokens } from './operations/credentials.ts';
import { advisories, events, exchanges, refusals, requests } from './operations/exchanges.ts';
import { faults } from './operations/faults.ts';
import { audiences, clients, users } from './operations/registered.ts';
import { savedFlows, savedRequests } from './operations/saved.ts';
import { clock, keys, reset, server, throttle } from './operations/server.ts';
import { settings, shape, workspace } from './operations/workspace.ts';

/** In the order in which they are shown to people. */
export const contract = {
  clients,
  users,
  audiences,
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
  settings,
  shape,
  workspace,
  savedFlows,
  savedRequests,
  clock,
  keys,
  server,
  reset,
  events,
};

export type Contract = typeof contract;

type Group = Exclude<keyof Contract, 'reset' | 'events'>;

/** What each group of operations is about; what is of no group is of the server's. */
export const GROUP_WORDS: Readonly<Record<Group, string>> = {
  clients: 'Apps that ask for tokens.',
  users: 'People who sign in at /authorize.',
  audiences: 'APIs that access tokens are for.',
  codes: 'Authorization codes, issued without a browser.',
  callbacks: 'Redirects of sign-ins in a browser, received on the loopback.',
  tokens: 'Codes and tokens: issue, list, revoke, expire, sign for a test.',
  lineages: 'Lineages: all credentials of one authorization.',
  devices: 'Devices that wait for a user (RFC 8628).',
  requests: 'Requests sent from the machine of the service.',
  exchanges: 'Requests and responses, with the trace of their validation.',
  refusals: 'Reasons for which requests are rejected.',
  advisories: 'Redundant token requests.',
  throttle: 'Throttle counters.',
  faults: 'Fault injection rules.',
  settings: 'Settings of the service.',
  shape: 'The provider that the service imitates.',
  workspace: 'All records and settings as one document.',
  savedFlows: 'Flows saved by name in the workspace, as scenarios.',
  savedRequests: 'Requests saved by name in the workspace.',
  clock: 'The sandbox clock.',
  keys: 'Signing keys of tokens.',
  server: 'The running token service.',
};
