// base64url (RFC 4648 5) as tokens have it.

export { decodeBase64url, encodeBase64url } from '../control/reading/base64url.ts';
