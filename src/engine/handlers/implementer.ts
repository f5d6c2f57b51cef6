// The implementer of the contract. Outputs are not validated again: the compiler checks their types, and validating a
// thousand exchanges would delay the token endpoint.

import { implement } from '@orpc/server';
import { contract } from '../../control/contract.ts';

export interface CallContext {
  /** Aborted when the WebSocket or window of the call is closed; absent over HTTP and within this process. */
  readonly connection?: AbortSignal;
}

export const os = implement(contract)
  .$context<CallContext>()
  .$config({ initialOutputValidationIndex: Number.NaN });
