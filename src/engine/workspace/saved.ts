// The saved flows and requests of the workspace by name. Callers check for room before they add one.

import type { DomainEvent } from '../../core/model/ports.ts';
import { SAVED_BOUNDS } from '../../core/records/bounds.ts';
import type { SavedFlow, SavedRequest, Workspace } from '../../core/records/schemas.ts';
import { createCollection, type Collection } from '../../core/registry/lists.ts';

export interface Saved {
  readonly flows: Collection<SavedFlow>;
  readonly requests: Collection<SavedRequest>;
}

export const createSaved = (emit: (event: DomainEvent) => void): Saved => ({
  flows: createCollection<SavedFlow>({
    keyOf: ({ scenario }) => scenario.name,
    bounds: SAVED_BOUNDS.flows,
    onChange: () => {
      emit({ type: 'saved', list: 'saved_flows' });
    },
  }),
  requests: createCollection<SavedRequest>({
    keyOf: ({ name }) => name,
    bounds: SAVED_BOUNDS.requests,
    onChange: () => {
      emit({ type: 'saved', list: 'saved_requests' });
    },
  }),
});

/** Returns the members for the workspace, omitted if empty. */
export const savedMembers = ({
  flows,
  requests,
}: Saved): Pick<Workspace, 'saved_flows' | 'saved_requests'> => ({
  ...(flows.size === 0 ? {} : { saved_flows: flows.list() }),
  ...(requests.size === 0 ? {} : { saved_requests: requests.list() }),
});
