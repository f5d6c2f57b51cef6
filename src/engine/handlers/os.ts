// The implementer of the contract. Outputs are not validated again: the compiler checks their types, and validating a
// thousand exchanges would delay the token endpoint.

import { implement } from '@orpc/server';
import { contract } from '../../control/contract.ts';

export const os = implement(contract).$config({ initialOutputValidationIndex: Number.NaN });
