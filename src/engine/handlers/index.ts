// All control operations over one engine.

import type { EngineParts } from '../parts.ts';
import { advisoryHandlers } from './advisories.ts';
import { callbackHandlers } from './callbacks.ts';
import { codeHandlers, lineageHandlers, tokenHandlers } from './credentials.ts';
import { deviceHandlers } from './devices.ts';
import { expectedError } from './errors.ts';
import { exchangeHandlers } from './exchanges.ts';
import { faultHandlers } from './faults.ts';
import { keyHandlers } from './keys.ts';
import { os } from './os.ts';
import { audienceHandlers, clientHandlers, userHandlers } from './registry.ts';
import { requestHandlers } from './requests.ts';
import { savedFlowHandlers, savedRequestHandlers } from './saved.ts';
import {
  clockHandlers,
  eventsHandler,
  resetHandler,
  serverHandlers,
  throttleHandlers,
} from './service.ts';
import { shapeHandlers } from './shape.ts';
import { settingsHandlers, workspaceHandlers } from './settings.ts';

export function createRouter(parts: EngineParts) {
  const told = os.use(async ({ next, procedure }, input) => {
    try {
      const done = await next();
      await parts.synced();
      return done;
    } catch (error) {
      const asked = { schema: procedure['~orpc'].inputSchema, input };
      throw expectedError(error, asked, parts.onFault);
    }
  });
  return told.router({
    clients: clientHandlers(parts),
    users: userHandlers(parts),
    audiences: audienceHandlers(parts),
    codes: codeHandlers(parts),
    callbacks: callbackHandlers(parts),
    tokens: tokenHandlers(parts),
    lineages: lineageHandlers(parts),
    devices: deviceHandlers(parts),
    requests: requestHandlers(parts),
    exchanges: exchangeHandlers(parts),
    advisories: advisoryHandlers(parts),
    throttle: throttleHandlers(parts),
    faults: faultHandlers(parts),
    settings: settingsHandlers(parts),
    shape: shapeHandlers(parts),
    workspace: workspaceHandlers(parts),
    savedFlows: savedFlowHandlers(parts),
    savedRequests: savedRequestHandlers(parts),
    clock: clockHandlers(parts),
    keys: keyHandlers(parts),
    server: serverHandlers(parts),
    reset: resetHandler(parts),
    events: eventsHandler(parts),
  });
}

export type Router = ReturnType<typeof createRouter>;
