// What keeps a text from being registered as a redirect URI. The service decides; this says so beforehand. Pure.

import { redirectUriProblem } from '../../../control/names.ts';

/** null when nothing does. @param called what the field is called on screen */
export function problemOfUri(uri: string, called: 'callback' | 'redirect URI'): string | null {
  const problem = redirectUriProblem(uri);
  return problem === null ? null : `The ${called} ${problem}.`;
}
