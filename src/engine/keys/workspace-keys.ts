// Which of the signing keys are the workspace's, by their kids: those that it brought and, where it brought
// some, those made or imported since. It holds no key itself.

import { SIGNING_KEY_BOUNDS } from '../../core/records/bounds.ts';

export interface WorkspaceKeys {
  /** These are the workspace's from now on, and no others. */
  readonly bring: (kids: readonly string[]) => void;
  /** No key is the workspace's any more. */
  readonly disown: () => void;
  /** A new key is the workspace's as well, if it has some and there is room for one more. */
  readonly claim: (kid: string) => void;
  readonly release: (kid: string) => void;
  /** Returns null when the workspace never had any. */
  readonly kids: () => ReadonlySet<string> | null;
  /** Whether the workspace's file held it when it was read. */
  readonly wasBrought: (kid: string) => boolean;
}

export function createWorkspaceKeys(): WorkspaceKeys {
  let own: Set<string> | null = null;
  let brought: ReadonlySet<string> = new Set();
  return {
    bring: (kids) => {
      own = new Set(kids);
      brought = new Set(kids);
    },
    disown: () => {
      own = null;
      brought = new Set();
    },
    claim: (kid) => {
      if (own !== null && own.size > 0 && own.size < SIGNING_KEY_BOUNDS.entries) own.add(kid);
    },
    release: (kid) => {
      own?.delete(kid);
    },
    kids: () => own,
    wasBrought: (kid) => brought.has(kid),
  };
}
