// Redirect URIs on the loopback, for those who may not look into core.

export { isOwnRedirectUri, parseLoopbackRedirect } from '../core/records/loopback-redirect.ts';
