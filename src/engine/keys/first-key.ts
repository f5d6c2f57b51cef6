// The key that a start needs and no document brings: it is begun on before the rest of the engine is loaded, as
// an RSA key takes about as long to make as all of that.

import { readFileSync } from 'node:fs';
import type { SigningAlg } from '../../core/records/schemas.ts';
import { beginKey, type ComingKey } from '../../core/issuing/signing.ts';
import { DEMO_WORKSPACE } from '../workspace/demo.ts';
export type { ComingKey } from '../../core/issuing/signing.ts';

/** @param workspace unchecked. @returns null when it brings keys of its own */
export function neededAlg(workspace: unknown): SigningAlg | null {
  const { settings, keys } = Object(workspace) as { settings?: unknown; keys?: unknown };
  const { signing_alg = DEMO_WORKSPACE.settings.signing_alg } = Object(settings) as {
    signing_alg?: SigningAlg;
  };
  return Array.isArray(keys) && keys.length > 0 ? null : signing_alg;
}

/** @param workspace unchecked */
export function beginKeyFor(workspace: unknown): ComingKey | null {
  const alg = neededAlg(workspace);
  return alg === null ? null : beginKey(alg);
}

/** The same for a workspace's file; what is wrong with it is told by whoever reads it next. */
export function beginKeyForFile(file: string): ComingKey | null {
  try {
    return beginKeyFor(JSON.parse(readFileSync(file, 'utf8')));
  } catch {
    return null;
  }
}
