// The contract as a caller sees it, whatever carries it.

import type { ContractRouterClient } from '@orpc/contract';
import type { Contract } from './contract.ts';

export type ControlClient = ContractRouterClient<Contract>;
