// All control operations of an engine, with a file for each resource, independent of transports; their errors; and a
// client for callers in this process.

import type { EngineParts } from '../parts.ts';
import { advisoryHandlers } from './advisories.ts';
import { callbackHandlers } from './callbacks.ts';
import { createClientChecks } from '../active-client-check.ts';
import { clientCheckHandlers } from './client-checks.ts';
import { codeHandlers, lineageHandlers, tokenHandlers } from './credentials.ts';
import { deviceHandlers } from './devices.ts';
import { exchangeHandlers } from './exchanges.ts';
import { faultHandlers } from './faults.ts';
import { holdHandlers } from './holds.ts';
import { keyHandlers } from './keys.ts';
import type { BackChannelLogout } from '../back-channel-logout.ts';
import { logoutHandler } from './logout.ts';
import { os } from './implementer.ts';
import { apiHandlers, audienceHandlers, clientHandlers, userHandlers } from './registered.ts';
import { refusalHandlers, requestHandlers } from './requests.ts';
import { savedFlowHandlers, savedRequestHandlers } from './saved.ts';
import { clockHandlers, eventsHandler, resetHandler, serverHandlers } from './server.ts';
import { shapeHandlers } from './shape.ts';
import { throttleHandlers } from './throttling.ts';
import { settingsHandlers, workspaceHandlers } from './workspace.ts';
import { createRouterClient, ORPCError, ValidationError } from '@orpc/server';
import { AuthorizationProblem } from '../../core/authorization/direct-code.ts';
import { IN_WORDS, problemsOf } from '../../core/records/problems.ts';
import type { z } from '../../core/records/zod.ts';
import { invalid, invalidField } from './control-error.ts';
import type { ControlClient } from '../../control/contract.ts';
import { wholeOf } from '../exchanges/piecewise-document.ts';

export function createRouter(parts: EngineParts, logout: BackChannelLogout) {
  const withErrors = os.use(async ({ next, procedure }, input) => {
    try {
      const done = await next();
      await parts.synced();
      return done;
    } catch (error) {
      const asked = { schema: procedure['~orpc'].inputSchema, input };
      throw expectedError(error, asked, parts.onFault);
    }
  });
  const checks = createClientChecks(parts, logout);
  return withErrors.router({
    clients: clientHandlers(parts),
    users: userHandlers(parts),
    audiences: audienceHandlers(parts),
    apis: apiHandlers(parts),
    codes: codeHandlers(parts),
    callbacks: callbackHandlers(parts),
    tokens: tokenHandlers(parts),
    lineages: lineageHandlers(parts),
    devices: deviceHandlers(parts),
    requests: requestHandlers(parts),
    exchanges: exchangeHandlers(parts),
    refusals: refusalHandlers(parts),
    advisories: advisoryHandlers(parts),
    throttle: throttleHandlers(parts),
    faults: faultHandlers(parts),
    clientChecks: clientCheckHandlers(parts, checks),
    holds: holdHandlers(parts),
    settings: settingsHandlers(parts),
    shape: shapeHandlers(parts),
    workspace: workspaceHandlers(parts),
    savedFlows: savedFlowHandlers(parts),
    savedRequests: savedRequestHandlers(parts),
    clock: clockHandlers(parts),
    keys: keyHandlers(parts),
    server: serverHandlers(parts),
    reset: resetHandler(parts),
    logout: logoutHandler(parts, logout),
    events: eventsHandler(parts, checks.follow),
  });
}

export type Router = ReturnType<typeof createRouter>;

const FAULT = 'an internal error occurred in Grantbench; see its output for details';

/** The input of an operation. */
interface Asked {
  /** The schema in the contract. oRPC only knows that it is a schema, but the contract only has zod schemas. */
  readonly schema: unknown;
  readonly input: unknown;
}

/** oRPC validates with zod's default messages, so rejected input is validated again with ours. */
function refusal({ schema, input }: Asked): Error {
  const { error } = (schema as z.ZodMiniType).safeParse(input, IN_WORDS);
  return invalid(problemsOf(error?.issues ?? [], input));
}

const isInvalidInput = ({ code, cause }: ORPCError<string, unknown>): boolean =>
  code === 'BAD_REQUEST' && cause instanceof ValidationError;

/** Returns the error as in the contract. @param onFault called with unexpected errors */
function expectedError(error: unknown, asked: Asked, onFault: (fault: unknown) => void): Error {
  if (error instanceof AuthorizationProblem) return invalidField(error.field, error.message);
  if (!(error instanceof ORPCError)) {
    onFault(error);
    return new ORPCError('fault', { status: 500, message: FAULT });
  }
  return isInvalidInput(error as ORPCError<string, unknown>) ? refusal(asked) : error;
}

export const isFeed = (answer: unknown): answer is AsyncIterable<unknown> =>
  typeof answer === 'object' && answer !== null && Symbol.asyncIterator in answer;

export function createLocalClient(router: Router): ControlClient {
  const client = createRouterClient(router, {
    interceptors: [
      async ({ next }) => {
        const answer = await wholeOf(await next());
        // Callers must not be able to change records of the registry.
        return isFeed(answer) ? answer : structuredClone(answer);
      },
    ],
  });
  return client;
}
