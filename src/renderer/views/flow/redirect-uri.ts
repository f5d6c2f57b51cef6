// What keeps a text from being registered as a redirect URI. The service decides; this says so beforehand. Pure.

import { IN_WORDS, redirectUriSchema } from '../../../control/schemas.ts';

/** null when nothing does. @param called what the field is called on screen */
export function problemOfUri(uri: string, called: 'callback' | 'redirect URI'): string | null {
  const read = redirectUriSchema.safeParse(uri, IN_WORDS);
  return read.success ? null : `The ${called} ${read.error.issues[0]?.message ?? 'is not valid'}.`;
}
