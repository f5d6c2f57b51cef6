// Flows and requests that are saved by name in the workspace, and what client checks have shown. Callers check for
// room before they add one.

import type { DomainEvent } from '../../core/model/ports.ts';
import { SAVED_BOUNDS } from '../../core/records/bounds.ts';
import type {
  CheckRecord,
  SavedFlow,
  SavedRequest,
  Workspace,
} from '../../core/records/schemas.ts';
import { createCollection, type Collection } from '../../core/registry/lists.ts';

export interface Saved {
  readonly flows: Collection<SavedFlow>;
  readonly requests: Collection<SavedRequest>;
  readonly checks: Collection<CheckRecord>;
}

/** The newest run of each case and client is kept. */
export const checkKey = ({ client_id, case: id }: Pick<CheckRecord, 'client_id' | 'case'>) =>
  JSON.stringify([client_id, id]);

export function createSaved(emit: (event: DomainEvent) => void): Saved {
  const changed = (list: Extract<DomainEvent, { type: 'saved' }>['list']) => () => {
    emit({ type: 'saved', list });
  };
  return {
    flows: createCollection<SavedFlow>({
      keyOf: ({ scenario }) => scenario.name,
      bounds: SAVED_BOUNDS.flows,
      onChange: changed('saved_flows'),
    }),
    requests: createCollection<SavedRequest>({
      keyOf: ({ name }) => name,
      bounds: SAVED_BOUNDS.requests,
      onChange: changed('saved_requests'),
    }),
    checks: createCollection<CheckRecord>({
      keyOf: checkKey,
      bounds: SAVED_BOUNDS.checks,
      onChange: changed('client_check'),
    }),
  };
}

/** Returns the members for the workspace, omitted if empty. */
export const savedMembers = ({
  flows,
  requests,
  checks,
}: Saved): Pick<Workspace, 'saved_flows' | 'saved_requests' | 'client_checks'> => ({
  ...(flows.size === 0 ? {} : { saved_flows: flows.list() }),
  ...(requests.size === 0 ? {} : { saved_requests: requests.list() }),
  ...(checks.size === 0 ? {} : { client_checks: checks.list() }),
});
