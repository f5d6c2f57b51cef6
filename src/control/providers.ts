// The providers that can be imitated; without schemas, for who starts fast.

export { PROVIDERS, PROVIDER_WORDS } from '../core/records/enumerations.ts';
export type { Provider } from '../core/records/schemas.ts';
