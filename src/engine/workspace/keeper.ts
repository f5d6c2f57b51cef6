// The active workspace and its file: opened, reset to, replaced, saved after each change, saved as another.
// The service's records come first; the file follows them.

import { basename } from 'node:path';
import type { ServerState } from '../../control/schemas.ts';
import type { DomainEvent } from '../../core/model/events.ts';
import type { Shape, Workspace } from '../../core/records/schemas.ts';
import type { TokenService } from '../../core/service.ts';
import type { Keys } from '../keys/signing-keys.ts';
import type { SavedFile } from '../files/saved-file.ts';
import { createActiveWorkspace } from './active.ts';
import { formatWorkspace, readOrExplain } from './document.ts';
import { savedMembers, type Saved } from './saved.ts';
import { readWorkspace, saveWorkspace } from './workspace-file.ts';

export interface WorkspaceKeeper {
  /** The whole workspace as it is now. */
  readonly current: () => Workspace;
  /** At start: takes what the file says, or the base without one. @throws WorkspaceError */
  readonly open: () => Promise<void>;
  /** Back to the file, or to the base. @throws WorkspaceError, with nothing changed */
  readonly reload: () => Promise<void>;
  /** Puts this workspace in the place of all there is, and saves it. What is saved by name stays unless it is given. */
  readonly replace: (workspace: Workspace) => Promise<void>;
  /** Takes what this file says, and saves to it from now on. @throws WorkspaceError, with nothing changed */
  readonly openFile: (file: SavedFile) => Promise<void>;
  /** Saves what there is to this file, now and from now on. @throws WorkspaceError, as before then */
  readonly saveAs: (file: SavedFile) => Promise<void>;
  readonly event: (event: DomainEvent) => void;
  readonly state: () => ServerState['workspace'];
  readonly flush: () => Promise<void>;
}

export interface KeeperOptions {
  readonly service: TokenService;
  readonly keys: Keys;
  readonly saved: Saved;
  readonly file: SavedFile | null;
  /** Fixes the issuer for this run, whatever the workspace says; never saved. */
  readonly issuer: string | null;
  /** What there is without a file, or before it is written. */
  readonly base: Workspace;
  /** Fixes the provider that is imitated for this run; null for what the workspace says. */
  readonly shape: Shape | null;
}

/** Events after which the document says something else. */
const SAVED: readonly DomainEvent['type'][] = ['registry', 'settings', 'faults', 'saved'];

/** Most workspaces have none. */
const shapes = () => import('./shape.ts');

export function createWorkspaceKeeper(options: KeeperOptions): WorkspaceKeeper {
  const { service, keys, saved, issuer, base, shape } = options;
  const fixed = async (workspace: Workspace) =>
    shape === null ? workspace : (await shapes()).withShape(workspace, shape);
  const active = createActiveWorkspace({ service, keys, saved, issuer, name: base.name });
  let { file } = options;
  let opened = false;
  let changes = 0;

  const document = () => formatWorkspace(active.current());
  const prepareKeys = async (workspace: Workspace) => {
    await keys.adopt(workspace.keys);
    await keys.ensure(workspace.settings.signing_alg);
  };
  const replace = async (workspace: Workspace) => {
    const own =
      workspace.shape === undefined ? null : (await shapes()).resolvedShape(workspace.shape);
    active.replace(workspace, own);
  };
  const load = async (prepare: (workspace: Workspace) => Promise<void>) => {
    const found = file === null ? null : await readWorkspace(file, { may_be_missing: file.save });
    const workspace = await fixed(found ?? base);
    await prepare(workspace);
    opened = true;
    await replace(workspace);
    if (found !== null) file?.settle(document());
  };
  return {
    current: active.current,
    // A key that is missing is made by the first start.
    open: async () => {
      if (file?.save === true) {
        const { sweepTemporaryFiles } = await import('../files/atomic-file.ts');
        await sweepTemporaryFiles(file.file);
      }
      await load((workspace) => keys.adopt(workspace.keys));
    },
    reload: async () => {
      await file?.flush();
      await load(prepareKeys);
    },
    replace: async (workspace) => {
      await prepareKeys(workspace);
      await replace({ ...savedMembers(saved), ...workspace });
    },
    openFile: async (other) => {
      const found = await readWorkspace(other, { may_be_missing: false });
      if (found === null) return;
      await file?.flush();
      if (found.keys === undefined) keys.disown();
      await prepareKeys(found);
      file = other;
      await replace(found);
      other.settle(document());
    },
    saveAs: async (other) => {
      await file?.flush();
      // Whoever chose the file agreed to replace it: what it says now is read so that it is no conflict.
      await readOrExplain(other.file, other.read);
      const before = changes;
      await saveWorkspace(other, document);
      file = other;
      if (changes > before) other.changed(document);
    },
    event: ({ type }) => {
      // Keys may be ready before the workspace was opened: there is nothing to save then.
      const keysChanged = type === 'keys' && opened && keys.inWorkspace() !== undefined;
      if (!keysChanged && !SAVED.includes(type)) return;
      changes += 1;
      file?.changed(document);
    },
    state: () => ({
      name: active.name(),
      file: file === null ? null : basename(file.file),
      ...(file?.state() ?? { state: 'memory', message: null }),
    }),
    flush: async () => {
      await file?.flush();
    },
  };
}
