// The workspace in use: what of it lives in the service, what only passes through, and the file it is
// saved to. The service's records are the truth; the file follows them.

import { basename } from 'node:path';
import type { ServerState } from '../../control/schemas.ts';
import type { DomainEvent } from '../../core/model/events.ts';
import type { Workspace } from '../../core/records/schemas.ts';
import type { TokenService } from '../../core/service.ts';
import type { Keys } from '../keys/signing-keys.ts';
import { sweepTemporaryFiles } from '../files/atomic-file.ts';
import type { SavedDocument, SavedFile } from '../files/saved-file.ts';
import { formatWorkspace, parseWorkspace, readOrExplain, WorkspaceError } from './document.ts';

export interface WorkspaceKeeper {
  /** The whole workspace as it is now. */
  readonly current: () => Workspace;
  /** At start: takes what the file says, or the base without one. @throws WorkspaceError */
  readonly open: () => Promise<void>;
  /** Back to the file, or to the base. @throws WorkspaceError, with nothing changed */
  readonly reload: () => Promise<void>;
  /** Puts this workspace in the place of all there is, and saves it. */
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
  readonly file: SavedFile | null;
  /** Fixes the issuer for this run, whatever the workspace says; never saved. */
  readonly issuer: string | null;
  /** What there is without a file, or before it is written. */
  readonly base: Workspace;
}

/** Events after which the document is another one. */
const SAVED: readonly DomainEvent['type'][] = ['registry', 'settings', 'faults'];

/** What the file says; null when it is yet to be written. */
async function readWorkspace(
  file: SavedFile,
  may_be_missing = file.save,
): Promise<Workspace | null> {
  const text = await readOrExplain(file.file, file.read);
  if (text === null && may_be_missing) return null;
  if (text === null) {
    throw new WorkspaceError(file.file, [{ path: '', message: 'there is no such file' }]);
  }
  const checked = await parseWorkspace(text);
  if ('value' in checked) return checked.value;
  throw new WorkspaceError(file.file, checked.problems);
}

/** Nothing is tried again: the workspace stays where it was saved before. @throws WorkspaceError */
async function saveOrExplain(file: SavedFile, document: SavedDocument): Promise<void> {
  try {
    await file.saveNow(document);
  } catch (cause) {
    const why = cause instanceof Error ? cause.message : String(cause);
    throw new WorkspaceError(file.file, [{ path: '', message: `could not be saved: ${why}` }], {
      cause,
    });
  }
}

export function createWorkspaceKeeper(options: KeeperOptions): WorkspaceKeeper {
  const { service, keys, issuer, base } = options;
  let { file } = options;
  const { registry } = service;
  let name = base.name;
  let ownIssuer: string | null = null;
  let taken = false;

  const current = (): Workspace => {
    const settings = service.settings();
    const fixed = issuer !== null && settings.issuer === issuer;
    const ownKeys = keys.inWorkspace();
    return {
      version: 1,
      name,
      settings: fixed ? { ...settings, issuer: ownIssuer } : settings,
      audiences: registry.audiences.list(),
      clients: registry.clients.list(),
      users: registry.users.list(),
      faults: service.faults.list().map(({ fault }) => fault),
      ...(ownKeys === undefined ? {} : { keys: ownKeys }),
    };
  };
  /** The lists are taken here; their records are replaced whole, so what is taken stays as it is. */
  const document = () => formatWorkspace(current());

  /** In one go, so that nobody sees half of it. */
  const take = (workspace: Workspace) => {
    const { settings } = workspace;
    taken = true;
    name = workspace.name;
    ownIssuer = settings.issuer;
    registry.audiences.replaceAll(workspace.audiences);
    registry.clients.replaceAll(workspace.clients);
    registry.users.replaceAll(workspace.users);
    service.faults.replaceAll(workspace.faults);
    service.setSettings(issuer === null ? settings : { ...settings, issuer });
  };
  const load = async (prepare: (workspace: Workspace) => Promise<void>) => {
    const found = file === null ? null : await readWorkspace(file);
    const workspace = found ?? base;
    await prepare(workspace);
    take(workspace);
    if (found !== null) file?.settle(document());
  };
  const prepareKeys = async (workspace: Workspace) => {
    await keys.adopt(workspace.keys);
    await keys.ensure(workspace.settings.signing_alg);
  };
  return {
    current,
    // A key that is missing is made by the first start.
    open: async () => {
      if (file?.save === true) await sweepTemporaryFiles(file.file);
      await load((workspace) => keys.adopt(workspace.keys));
    },
    reload: async () => {
      await file?.flush();
      await load(prepareKeys);
    },
    replace: async (workspace) => {
      await prepareKeys(workspace);
      take(workspace);
    },
    openFile: async (other) => {
      const found = await readWorkspace(other, false);
      if (found === null) return;
      await file?.flush();
      if (found.keys === undefined) keys.disown();
      await prepareKeys(found);
      file = other;
      take(found);
      other.settle(document());
    },
    saveAs: async (other) => {
      await file?.flush();
      // Whoever chose the file has seen that it is there: what it says is known, and goes.
      await readOrExplain(other.file, other.read);
      await saveOrExplain(other, document);
      file = other;
    },
    event: ({ type }) => {
      // Before it was taken there is nothing to save: keys may be ready earlier than that.
      const anotherOne = type === 'keys' && taken && keys.inWorkspace() !== undefined;
      if (anotherOne || SAVED.includes(type)) file?.changed(document);
    },
    state: () => ({
      name,
      file: file === null ? null : basename(file.file),
      ...(file?.state() ?? { state: 'memory', message: null }),
    }),
    flush: async () => {
      await file?.flush();
    },
  };
}
