// The one address that is handed to the operating system: the sign-in page of our own server, in the browser of the
// person at the keyboard.

import { shell } from 'electron';
import type { ServerState } from '../control/schemas.ts';

type Server = Pick<ServerState, 'state' | 'endpoints'>;

/** Whether it is a request at the authorization endpoint: whatever else the page names is opened nowhere. */
function isAuthorizationRequest(text: string, { state, endpoints }: Server): boolean {
  if (state !== 'running' || !URL.canParse(text)) return false;
  const url = new URL(text);
  const own = new URL(endpoints.authorization);
  const isWeb = url.protocol === 'http:' || url.protocol === 'https:';
  return isWeb && url.username === '' && url.origin === own.origin && url.pathname === own.pathname;
}

/** Whether it was opened: it is no other page, and there is a browser. */
export async function openSignInPage(text: string, server: Server): Promise<boolean> {
  if (!isAuthorizationRequest(text, server)) return false;
  return shell.openExternal(new URL(text).href).then(
    () => true,
    () => false,
  );
}
