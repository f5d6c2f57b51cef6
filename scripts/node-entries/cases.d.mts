export * from './cases.cjs';
