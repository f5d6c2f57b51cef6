// The records that are saved by name: flows, which are scenarios, and requests without their credentials.

import {
  savedRequestSchema,
  type SavedFlow as SavedFlowRecord,
  type SavedRequest,
} from '../../control/schemas.ts';
import { control } from '../connection/control.ts';
import { listOf, MOST_FLOWS, parsed, readKept, type SavedFlow } from './kept-in-browser.ts';
import { createShelf } from './shelf.ts';

const MOST_REQUESTS = 100;

/** The service validates it, since another version may have stored it in this browser. */
const asRecord = (flow: SavedFlow) => flow as SavedFlowRecord;

const nameOf = ({ scenario }: SavedFlow): string => scenario.name;

export const flowShelf = createShelf<SavedFlow>({
  one: 'flow',
  most: MOST_FLOWS,
  nameOf,
  key: 'grantbench.scenarios',
  read: readKept,
  write: (flows) => JSON.stringify({ flows }),
  listed: ({ saved_flows }) => saved_flows,
  listing: (flows) => ({ saved_flows: flows.map(asRecord) }),
  put: (flow, replace) =>
    control.savedFlows.put({ name: nameOf(flow), replace, ...asRecord(flow) }),
  remove: (name) => control.savedFlows.remove({ name }),
});

export const requestShelf = createShelf<SavedRequest>({
  one: 'request',
  most: MOST_REQUESTS,
  nameOf: ({ name }) => name,
  key: 'grantbench.saved-requests',
  read: (stored) =>
    listOf(parsed(stored)).flatMap((one) => savedRequestSchema.safeParse(one).data ?? []),
  write: (requests) => JSON.stringify(requests),
  listed: ({ saved_requests }) => saved_requests,
  listing: (saved_requests) => ({ saved_requests }),
  put: (request, replace) => control.savedRequests.put({ ...request, replace }),
  remove: (name) => control.savedRequests.remove({ name }),
});
