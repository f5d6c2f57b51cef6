// Every session by its file name.

import type { Session } from '../document.ts';
import { authorizeSessions } from './authorize.ts';
import { clientAssertionSessions } from './client-assertions.ts';
import { controlServiceSessions } from './control-service.ts';
import { controlSessions } from './control.ts';
import { discoverySessions } from './discovery.ts';
import { faultSessions } from './faults.ts';
import { lifecycleSessions } from './lifecycles.ts';
import { presentedTokenSessions } from './presented-tokens.ts';
import { storedSessions } from './stored.ts';
import { throttlingSessions } from './throttling.ts';
import { tokenRequestSessions } from './token-requests.ts';
import { wireSessions } from './wire.ts';

export async function createSessions(): Promise<ReadonlyMap<string, Session>> {
  const sessions = [
    ...tokenRequestSessions(),
    ...(await clientAssertionSessions()),
    ...presentedTokenSessions(),
    ...authorizeSessions(),
    ...discoverySessions(),
    ...throttlingSessions(),
    ...lifecycleSessions(),
    ...faultSessions(),
    ...controlSessions(),
    ...controlServiceSessions(),
    ...storedSessions(),
    ...wireSessions(),
  ];
  return new Map(sessions);
}
