// Lists, saves and deletes saved flows and requests.

import {
  putFlowSchema,
  putRequestSchema,
  savedFlowSchema,
  savedRequestSchema,
} from '../../control/schemas.ts';
import type { Problem } from '../../core/records/problems.ts';
import type { SavedFlow, SavedRequest } from '../../core/records/schemas.ts';
import type { Collection } from '../../core/registry/lists.ts';
import type { EngineParts } from '../parts.ts';
import { flowSecrets, requestSecrets } from '../workspace/saved-secrets.ts';
import { conflict, invalid, notFound } from './control-error.ts';
import { os } from './os.ts';
import { pageOf, type PageRequest } from './page.ts';
import { validate } from './records.ts';

const MIB = 1024 * 1024;

interface RecordKind<T> {
  /** The singular and plural in messages. */
  readonly one: string;
  readonly many: string;
  readonly collection: Collection<T>;
  readonly nameOf: (record: T) => string;
  readonly secretsIn: (record: T) => readonly Problem[];
}

function createRecords<T extends { readonly saved_at: string }>(kind: RecordKind<T>) {
  const { one, many, collection, nameOf, secretsIn } = kind;
  const find = (name: string): T => {
    const found = collection.get(name);
    if (found === undefined) throw notFound(one, name);
    return found;
  };
  return {
    find,
    list: (request: PageRequest) =>
      pageOf(
        collection.list().toSorted((a, b) => b.saved_at.localeCompare(a.saved_at)),
        request,
        nameOf,
      ),
    put: (record: T, replace: boolean): T => {
      const secrets = secretsIn(record);
      if (secrets.length > 0) throw invalid(secrets);
      const name = nameOf(record);
      if (!replace && collection.get(name) !== undefined) {
        throw conflict(`the ${one} "${name}" already exists`, 'name');
      }
      if (!collection.hasRoomFor(record)) {
        const { entries, bytes } = collection.bounds;
        throw conflict(
          `there can be at most ${entries} ${many} with ${bytes / MIB} MiB in total; delete one first`,
        );
      }
      collection.put(record);
      return record;
    },
    remove: (name: string) => {
      find(name);
      collection.remove(name);
    },
  };
}

/** Machine time, because it records a user's action. */
const now = ({ clock }: EngineParts['service']['ports']): string =>
  new Date(clock.now() - clock.offset()).toISOString();

export function savedFlowHandlers({ service, saved, redaction }: EngineParts) {
  const flows = createRecords<SavedFlow>({
    one: 'saved flow',
    many: 'saved flows',
    collection: saved.flows,
    nameOf: ({ scenario }) => scenario.name,
    secretsIn: (flow) => flowSecrets(flow, redaction.holdsSecret),
  });
  return {
    list: os.savedFlows.list.handler(({ input }) => flows.list(input)),
    get: os.savedFlows.get.handler(({ input }) => flows.find(input.name)),
    put: os.savedFlows.put.handler(({ input }) => {
      const draft = validate(putFlowSchema, input);
      const { name, replace, saved_at = now(service.ports), scenario } = draft;
      const record = { saved_at, scenario: { ...scenario, name } };
      return flows.put(validate(savedFlowSchema, record), replace);
    }),
    remove: os.savedFlows.remove.handler(({ input }) => {
      flows.remove(input.name);
    }),
  };
}

export function savedRequestHandlers({ service, saved, redaction }: EngineParts) {
  const requests = createRecords<SavedRequest>({
    one: 'saved request',
    many: 'saved requests',
    collection: saved.requests,
    nameOf: ({ name }) => name,
    secretsIn: (request) => requestSecrets(request, redaction.holdsSecret),
  });
  return {
    list: os.savedRequests.list.handler(({ input }) => requests.list(input)),
    get: os.savedRequests.get.handler(({ input }) => requests.find(input.name)),
    put: os.savedRequests.put.handler(({ input }) => {
      const draft = validate(putRequestSchema, input);
      const { replace, saved_at = now(service.ports), ...request } = draft;
      return requests.put(validate(savedRequestSchema, { ...request, saved_at }), replace);
    }),
    remove: os.savedRequests.remove.handler(({ input }) => {
      requests.remove(input.name);
    }),
  };
}
