// Lists, saves and deletes saved flows and requests.

import {
  putFlowSchema,
  putRequestSchema,
  savedFlowSchema,
  savedRequestSchema,
} from '../../control/schemas.ts';
import type { Problem } from '../../core/records/problems.ts';
import type { SavedFlow, SavedRequest } from '../../core/records/schemas.ts';
import type { EngineParts } from '../parts.ts';
import { flowSecrets, requestSecrets } from '../workspace/saved-secrets.ts';
import { invalid } from './control-error.ts';
import { os } from './implementer.ts';
import { pageOf } from './page.ts';
import { recordsOf, validate } from './records.ts';

interface Saved {
  readonly saved_at: string;
}

const bySaving = (a: Saved, b: Saved) => b.saved_at.localeCompare(a.saved_at);

function checkSecrets(secrets: readonly Problem[]): void {
  if (secrets.length > 0) throw invalid(secrets);
}

/** Machine time, because it records a user's action. */
const now = ({ clock }: EngineParts['service']['ports']): string =>
  new Date(clock.now() - clock.offset()).toISOString();

export function savedFlowHandlers({ service, saved, redaction }: EngineParts) {
  const keyOf = ({ scenario }: SavedFlow) => scenario.name;
  const flows = recordsOf<SavedFlow>({
    name: 'saved flow',
    key: 'name',
    keyOf,
    collection: saved.flows,
    schema: savedFlowSchema,
    check: (flow) => {
      checkSecrets(flowSecrets(flow, redaction.holdsSecret));
    },
  });
  return {
    list: os.savedFlows.list.handler(({ input }) =>
      pageOf(saved.flows.list().sort(bySaving), input, keyOf),
    ),
    get: os.savedFlows.get.handler(({ input }) => flows.read(input.name)),
    put: os.savedFlows.put.handler(({ input }) => {
      const draft = validate(putFlowSchema, input);
      const { name, replace, saved_at = now(service.ports), scenario } = draft;
      const record = { saved_at, scenario: { ...scenario, name } };
      return replace ? flows.put(record) : flows.add(record);
    }),
    remove: os.savedFlows.remove.handler(({ input }) => {
      flows.remove(input.name);
    }),
  };
}

export function savedRequestHandlers({ service, saved, redaction }: EngineParts) {
  const keyOf = ({ name }: SavedRequest) => name;
  const requests = recordsOf<SavedRequest>({
    name: 'saved request',
    key: 'name',
    keyOf,
    collection: saved.requests,
    schema: savedRequestSchema,
    check: (request) => {
      checkSecrets(requestSecrets(request, redaction.holdsSecret));
    },
  });
  return {
    list: os.savedRequests.list.handler(({ input }) =>
      pageOf(saved.requests.list().sort(bySaving), input, keyOf),
    ),
    get: os.savedRequests.get.handler(({ input }) => requests.read(input.name)),
    put: os.savedRequests.put.handler(({ input }) => {
      const draft = validate(putRequestSchema, input);
      const { replace, saved_at = now(service.ports), ...request } = draft;
      const record = { ...request, saved_at };
      return replace ? requests.put(record) : requests.add(record);
    }),
    remove: os.savedRequests.remove.handler(({ input }) => {
      requests.remove(input.name);
    }),
  };
}
