// For those who know the contract and not core.

export { z } from '../core/records/zod.ts';
