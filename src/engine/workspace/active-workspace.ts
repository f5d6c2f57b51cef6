// The active workspace and its file: opens, resets, replaces and saves it. The service's records are authoritative;
// the file follows them.

import { basename } from 'node:path';
import type { ServerState } from '../../control/schemas.ts';
import type { DomainEvent } from '../../core/model/ports.ts';
import type { Shape, Workspace } from '../../core/records/schemas.ts';
import type { TokenService } from '../../core/service.ts';
import { messageOf } from '../errors.ts';
import type { Keys } from '../signing-keys.ts';
import type { SavedDocument, SavedFile } from '../files/saved-file.ts';
import { formatWorkspace, parseWorkspace, readOrExplain, WorkspaceError } from './document.ts';
import { createFormerWorkspaces, type FormerWorkspace } from './former.ts';
import { type Saved, savedMembers } from './saved-by-name.ts';
import type { ResolvedShape } from '../../core/shape/resolve.ts';

export type WorkspaceKeeper = ReturnType<typeof createWorkspaceKeeper>;

interface KeeperOptions {
  readonly service: TokenService;
  readonly keys: Keys;
  readonly saved: Saved;
  readonly file: SavedFile | null;
  /** Fixes the issuer for this run, whatever the workspace says; never saved. */
  readonly issuer: string | null;
  /** The workspace without a file, or before it is written. */
  readonly base: Workspace;
  /** Overrides the imitated provider for this run; null for that of the workspace. */
  readonly shape: Shape | null;
  /** Returns machine time in ms. */
  readonly now: () => number;
}

/** Events that change the document. */
const SAVED: readonly DomainEvent['type'][] = ['registry', 'settings', 'faults', 'saved'];

/** Loaded on demand, because most workspaces imitate no provider. */
const shapes = () => import('./workspace-shape.ts');

export function createWorkspaceKeeper(options: KeeperOptions) {
  const { service, keys, saved, base, shape, now } = options;
  const fixed = async (workspace: Workspace) =>
    shape === null ? workspace : (await shapes()).withShape(workspace, shape);
  const active = createActiveWorkspace(options);
  const former = createFormerWorkspaces(service, saved, now);
  /** The workspace that is about to be replaced. */
  const leave = () => {
    const kids = service.keyring.list().map(({ kid }) => kid);
    return { workspace: active.current(), kids };
  };
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
  /** The keys of the workspace remain unless the next one has its own. */
  const withKeys = (workspace: Workspace): Workspace => {
    const mine = keys.inWorkspace();
    return mine === undefined ? workspace : { keys: mine, ...workspace };
  };
  const withSaved = (workspace: Workspace) => ({ ...savedMembers(saved), ...workspace });
  const readAgain = async () => {
    const found =
      file === null ? null : await readWorkspace(file, { may_be_missing: file.save, shape });
    return { found, workspace: await fixed(found ?? base) };
  };
  const load = async (prepare: (workspace: Workspace) => Promise<void>) => {
    const { found, workspace } = await readAgain();
    await prepare(workspace);
    opened = true;
    await replace(workspace);
    if (found !== null) file?.settle(document());
  };
  return {
    current: active.current,
    /** Loads the workspace file at the start, or the base without a file. @throws WorkspaceError */
    // The first start generates a missing key.
    open: async (): Promise<void> => {
      if (file !== null) {
        const { sweepTemporaryFiles } = await import('../files/atomic-file.ts');
        await sweepTemporaryFiles(file.file);
      }
      await load((workspace) => keys.adopt(workspace.keys));
    },
    /** Returns what `current` would be after `reload`, without any change. @throws WorkspaceError */
    reloaded: async (): Promise<Workspace> => {
      await file?.flush();
      return withKeys((await readAgain()).workspace);
    },
    /** Loads the file or the base again; the replaced workspace is kept. @throws WorkspaceError without any change */
    reload: async (): Promise<void> => {
      await file?.flush();
      const left = leave();
      await load(prepareKeys);
      former.keep(left, active.current());
    },
    /** Replaces the workspace, which is kept, and saves the new one. Saved flows, requests and client checks remain unless given. */
    replace: async (workspace: Workspace): Promise<void> => {
      const left = leave();
      await prepareKeys(workspace);
      await replace(withSaved(workspace));
      former.keep(left, active.current());
    },
    /** Returns what `current` would be after `replace`, without any change. */
    replaced: (workspace: Workspace) => withKeys(withSaved(workspace)),
    /** The replaced workspaces. */
    former,
    /** Restores a former workspace; the replaced one is kept. */
    restore: async ({ id, workspace, kids }: FormerWorkspace): Promise<void> => {
      const left = leave();
      await keys.reinstate(workspace.keys, kids);
      await keys.ensure(workspace.settings.signing_alg);
      await replace(workspace);
      former.forget(id);
      former.keep(left, active.current());
    },
    /** Loads this file, and saves changes to it from now on. @throws WorkspaceError without any change */
    openFile: async (other: SavedFile): Promise<void> => {
      const found = await readWorkspace(other, { may_be_missing: false, shape: null });
      if (found === null) return;
      await file?.flush();
      if (found.keys === undefined) keys.detach();
      await prepareKeys(found);
      file = other;
      await replace(found);
      other.settle(document());
    },
    /** Saves the workspace to this file, and changes from now on. @throws WorkspaceError without any change */
    saveAs: async (other: SavedFile): Promise<void> => {
      await file?.flush();
      // The user agreed to replace the file, so its current text is read to avoid a conflict.
      await readOrExplain(other.file, other.read);
      const before = changes;
      await saveWorkspace(other, document);
      file = other;
      if (changes > before) other.changed(document);
    },
    event: ({ type }: DomainEvent) => {
      // Keys may be ready before the workspace is opened; there is nothing to save then.
      const keysChanged = type === 'keys' && opened && keys.inWorkspace() !== undefined;
      if (!keysChanged && !SAVED.includes(type)) return;
      changes += 1;
      former.trim();
      file?.changed(document);
    },
    state: (): ServerState['workspace'] => ({
      name: active.name(),
      file: file === null ? null : basename(file.file),
      ...(file?.state() ?? { state: 'memory', message: null }),
    }),
    flush: async (): Promise<void> => {
      await file?.flush();
    },
  };
}

function createActiveWorkspace({ service, keys, saved, issuer, base }: KeeperOptions) {
  const { registry, faults } = service;
  let { name } = base;
  /** The issuer of the workspace, while another one is fixed for this run. */
  let ownIssuer: string | null = null;

  return {
    name: () => name,
    /** Returns a snapshot of the workspace. Records are replaced, never changed, so the snapshot remains valid. */
    current: (): Workspace => {
      const settings = service.settings();
      const shape = service.shape();
      const isFixed = issuer !== null && settings.issuer === issuer;
      const ownKeys = keys.inWorkspace();
      return {
        version: 1,
        name,
        settings: isFixed ? { ...settings, issuer: ownIssuer } : settings,
        ...(shape === null ? {} : { shape: shape.given }),
        audiences: registry.audiences.list(),
        ...(registry.apis.size === 0 ? {} : { apis: registry.apis.list() }),
        clients: registry.clients.list().filter((client) => !service.isFetchedClient(client)),
        users: registry.users.list().filter((user) => !service.userAuthorization.isTemporary(user)),
        faults: faults.list().map(({ fault }) => fault),
        ...(ownKeys === undefined ? {} : { keys: ownKeys }),
        ...savedMembers(saved),
      };
    },
    /** Replaces the workspace and its shape in one step, so that no partial state is visible. */
    replace: (workspace: Workspace, shape: ResolvedShape | null) => {
      const { settings } = workspace;
      name = workspace.name;
      ownIssuer = settings.issuer;
      registry.audiences.replaceAll(workspace.audiences);
      registry.apis.replaceAll(workspace.apis ?? []);
      registry.clients.replaceAll(workspace.clients);
      registry.users.replaceAll(workspace.users);
      faults.replaceAll(workspace.faults);
      saved.flows.replaceAll(workspace.saved_flows ?? []);
      saved.requests.replaceAll(workspace.saved_requests ?? []);
      saved.checks.replaceAll(workspace.client_checks ?? []);
      service.setShape(shape);
      service.setSettings(issuer === null ? settings : { ...settings, issuer });
    },
  };
}

/** Returns null for a file that may be missing. @throws WorkspaceError */
export async function readWorkspace(
  { file, read }: SavedFile,
  { may_be_missing, shape }: { readonly may_be_missing: boolean; readonly shape: Shape | null },
): Promise<Workspace | null> {
  const text = await readOrExplain(file, read);
  if (text === null && may_be_missing) return null;
  if (text === null)
    throw new WorkspaceError(file, [{ path: '', message: 'there is no such file' }]);
  const checked = await parseWorkspace(text, shape);
  if ('value' in checked) return checked.value;
  throw new WorkspaceError(file, checked.problems);
}

/** Saves once, without retries. @throws WorkspaceError */
async function saveWorkspace({ file, saveNow }: SavedFile, document: SavedDocument): Promise<void> {
  try {
    await saveNow(document);
  } catch (cause) {
    const problem = { path: '', message: `could not be saved: ${messageOf(cause)}` };
    throw new WorkspaceError(file, [problem], { cause });
  }
}
