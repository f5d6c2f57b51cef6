// Step 4: the held access token, read and checked against the keys the server says it has.

import { control } from '../../connection/control.ts';
import type { StepOutcome } from './flow-state.ts';
import { withTokenShown } from './flow-selection.ts';
import { changeFlow, flow } from './flow-store.ts';
import { decodeJwt } from '../../../oauth/jwt.ts';
import { keysOfServer, verifySignature } from '../../inspector/signature.ts';

export async function inspectHeldToken(): Promise<StepOutcome> {
  const { tokens } = flow.getState();
  if (tokens === null)
    return { status: 'refused', badge: null, text: 'There is no token to read.' };
  changeFlow(withTokenShown);
  const jwt = decodeJwt(tokens.access_token);
  if (jwt === null) {
    return {
      status: 'ok',
      badge: 'opaque',
      text: 'An opaque token; only the server can look it up',
    };
  }
  const { items } = await control.keys.list();
  const { state, text } = await verifySignature(tokens.access_token, jwt, keysOfServer(items));
  if (state === 'broken') return { status: 'refused', badge: 'invalid', text };
  const badge = state === 'verified' ? 'verified' : 'unverified';
  return { status: 'ok', badge, text };
}
