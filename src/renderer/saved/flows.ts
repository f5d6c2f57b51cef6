// The saved flows: scenarios by name.

import type { SavedFlow as SavedFlowRecord } from '../../control/schemas.ts';
import { control } from '../connection/control.ts';
import { createBrowserList } from './browser-list.ts';
import { KEY, MOST_FLOWS, nameOf, readKept, type SavedFlow } from './saved-flow.ts';
import { createShelf } from './shelf.ts';

export const browserFlows = createBrowserList<SavedFlow>({
  key: KEY,
  read: (stored) => readKept(stored).flows,
  write: (flows, stored) => JSON.stringify({ ...readKept(stored), flows }),
});

/** Validated by the service: what this browser kept may be of another version. */
const asRecord = (flow: SavedFlow) => flow as SavedFlowRecord;

export const flowShelf = createShelf<SavedFlow>({
  one: 'flow',
  most: MOST_FLOWS,
  nameOf,
  browser: browserFlows,
  listed: ({ saved_flows }) => saved_flows,
  listing: (flows) => ({ saved_flows: flows.map(asRecord) }),
  put: (flow, replace) =>
    control.savedFlows.put({ name: nameOf(flow), replace, ...asRecord(flow) }),
  remove: (name) => control.savedFlows.remove({ name }),
});
