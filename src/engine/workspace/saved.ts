// What is saved by name in the workspace: flows and requests. Each name stands for one record; whoever adds asks for
// room.

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

/** As members of the workspace: left out where there is nothing. */
export const savedMembers = ({
  flows,
  requests,
}: Saved): Pick<Workspace, 'saved_flows' | 'saved_requests'> => ({
  ...(flows.size === 0 ? {} : { saved_flows: flows.list() }),
  ...(requests.size === 0 ? {} : { saved_requests: requests.list() }),
});
