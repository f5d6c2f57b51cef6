// The records that are saved by name: flows, which are scenarios, and requests without their credentials.

import {
  savedRequestSchema,
  type SavedFlow as SavedFlowRecord,
  type SavedRequest,
} from '../../control/schemas.ts';
import { control } from '../connection/control.ts';
import { createShelf, LONGEST_NAME } from './shelf.ts';
import { z } from '../../control/zod.ts';
import type { Scenario } from '../../scenario/schema.ts';

// Parses the flows that this browser has stored by name. Pure.

const MOST_FLOWS = 50;

/** Only what the list shows is checked here. The whole scenario is checked when it is run. */
export interface SavedFlow {
  readonly saved_at: string;
  readonly scenario: Pick<Scenario, 'name'> & { readonly steps: readonly unknown[] };
}

const savedFlowSchema = z.strictObject({
  /** Machine time. */
  saved_at: z.iso.datetime(),
  scenario: z.looseObject({
    name: z.string().check(z.minLength(1), z.maxLength(LONGEST_NAME)),
    steps: z.array(z.unknown()),
  }),
});

const listOf = (found: unknown): readonly unknown[] => (Array.isArray(found) ? found : []);

/** Returns undefined when the text is not JSON. */
function parsed(stored: string | null): unknown {
  try {
    return JSON.parse(stored ?? 'null');
  } catch {
    return undefined;
  }
}

/** The flows in the text that can be parsed, newest first. Another version may have written others. */
export function readKept(stored: string | null): readonly SavedFlow[] {
  const { flows } = Object(parsed(stored)) as Record<string, unknown>;
  return listOf(flows)
    .flatMap((one) => savedFlowSchema.safeParse(one).data ?? [])
    .slice(0, MOST_FLOWS);
}

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
