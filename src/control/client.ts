// The contract as callers use it, independent of the transport.

import type { ContractRouterClient } from '@orpc/contract';
import type { Contract } from './contract.ts';

export type ControlClient = ContractRouterClient<Contract>;
