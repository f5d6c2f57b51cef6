// GET /livez and /readyz: whether the process answers, and whether it can issue tokens.

import type { TokenService } from '../../core/service.ts';
import type { Answer } from '../reply.ts';
import { json, NO_STORE } from '../reply.ts';

export function live(): Answer {
  return json({ status: 'ok' }, NO_STORE);
}

/** Ready once there is a key to sign with. */
export async function ready(service: TokenService): Promise<Answer> {
  await service.keyring.signing(service.settings().signing_alg);
  return json({ status: 'ready' }, NO_STORE);
}
