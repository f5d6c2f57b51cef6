// For those who know the contract and not core.

export { fitsPattern } from '../../core/records/path-pattern.ts';
