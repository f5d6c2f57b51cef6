// For those who know the contract and not core.

export { z } from '../core/zod.ts';
