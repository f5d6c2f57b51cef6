// Whether a redirect URI is one of a client's own, and whether it may become one. The service decides; this says so
// beforehand. Pure.

import { IN_WORDS, redirectUriSchema, type Client } from '../../../../control/schemas.ts';

const LOOPBACK = /^(http:\/\/(?:127\.0\.0\.1|\[::1\]|localhost))(?::\d{1,5})?(?=[/?]|$)/;
const withoutPort = (uri: string) => (LOOPBACK.test(uri) ? uri.replace(LOOPBACK, '$1') : null);

/** The port of a native client's loopback redirect URI may vary (RFC 8252 7.3). */
export function isRegistered(
  { redirect_uris, application_type }: Pick<Client, 'redirect_uris' | 'application_type'>,
  uri: string,
): boolean {
  if (redirect_uris.includes(uri)) return true;
  const bare = application_type === 'native' ? withoutPort(uri) : null;
  return bare !== null && redirect_uris.some((own) => withoutPort(own) === bare);
}

/** What keeps it from being registered; null when nothing does. */
export function problemOfUri(uri: string): string | null {
  const read = redirectUriSchema.safeParse(uri, IN_WORDS);
  return read.success ? null : `The callback ${read.error.issues[0]?.message ?? 'is not valid'}.`;
}
