// Begins on the key that a start without files needs, before the rest of the engine is loaded: an RSA key takes
// about as long as all of that.

import { generateAhead } from '../core/signing.ts';
import { DEMO_WORKSPACE } from './demo-workspace.ts';

export function beginFirstKey(): void {
  generateAhead(DEMO_WORKSPACE.settings.signing_alg);
}
