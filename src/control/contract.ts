// Every control operation: input, output, errors, REST route and words, and nothing of how it is carried
// out. The window speaks it over a MessagePort, the browser tab over a WebSocket, automation over REST with
// the OpenAPI document made of it, the command line by the commands made of it.

import { codes, lineages, tokens } from './operations/credentials.ts';
import { advisories, events, exchanges, requests } from './operations/exchanges.ts';
import { faults } from './operations/faults.ts';
import { audiences, clients, users } from './operations/registered.ts';
import { clock, keys, reset, server } from './operations/server.ts';
import { throttle } from './operations/throttle.ts';
import { settings, workspace } from './operations/workspace.ts';

/** In the order in which they are shown to people. */
export const contract = {
  clients,
  users,
  audiences,
  codes,
  tokens,
  lineages,
  requests,
  exchanges,
  advisories,
  throttle,
  faults,
  settings,
  workspace,
  clock,
  keys,
  server,
  reset,
  events,
};

export type Contract = typeof contract;
