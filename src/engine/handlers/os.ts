// The contract, waiting for its bodies. Answers are not validated again: their types are checked when
// this is compiled, and a list of a thousand exchanges would make the token endpoint wait.

import { implement } from '@orpc/server';
import { contract } from '../../control/contract.ts';

export const os = implement(contract).$config({ initialOutputValidationIndex: Number.NaN });
