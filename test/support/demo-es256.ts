// The demo workspace with a kind of signing key that is generated quickly.

import type { Workspace } from '../../src/core/records/schemas.ts';
import { DEMO_WORKSPACE } from '../../src/engine/workspace/demo.ts';

export const DEMO_ES256: Workspace = {
  ...DEMO_WORKSPACE,
  settings: { ...DEMO_WORKSPACE.settings, signing_alg: 'ES256' },
};
