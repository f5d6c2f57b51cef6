// For those who know the contract and not core.

export { endOfString } from '../../core/records/json-string.ts';
