// For those who know the contract and not core.

export { fitsPattern } from '../../core/path-pattern.ts';
