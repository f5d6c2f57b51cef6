// The active workspace: what the service and the keyring hold, as one document, and another document put in
// its place. It knows nothing of files.

import type { Workspace } from '../../core/records/schemas.ts';
import type { TokenService } from '../../core/service.ts';
import type { ResolvedShape } from '../../core/shape/shape.ts';
import type { Keys } from '../keys/signing-keys.ts';
import { savedMembers, type Saved } from './saved.ts';

export interface ActiveWorkspaceOptions {
  readonly service: TokenService;
  readonly keys: Pick<Keys, 'inWorkspace'>;
  readonly saved: Saved;
  /** Fixes the issuer for this run, whatever the workspace says; never saved. */
  readonly issuer: string | null;
  /** Its name until another takes its place. */
  readonly name: string;
}

export interface ActiveWorkspace {
  readonly name: () => string;
  /** The whole workspace as it is now. Its records are replaced, never changed, so this stays as it is. */
  readonly current: () => Workspace;
  /** Puts this workspace, with its shape, in the place of all there is, at once, so that nobody sees half of it. */
  readonly replace: (workspace: Workspace, shape: ResolvedShape | null) => void;
}

export function createActiveWorkspace(options: ActiveWorkspaceOptions): ActiveWorkspace {
  const { service, keys, saved, issuer } = options;
  const { registry, faults } = service;
  let { name } = options;
  /** The workspace's own, while another one is fixed for this run. */
  let ownIssuer: string | null = null;

  return {
    name: () => name,
    current: () => {
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
        clients: registry.clients.list(),
        users: registry.users.list(),
        faults: faults.list().map(({ fault }) => fault),
        ...(ownKeys === undefined ? {} : { keys: ownKeys }),
        ...savedMembers(saved),
      };
    },
    replace: (workspace, shape) => {
      const { settings } = workspace;
      name = workspace.name;
      ownIssuer = settings.issuer;
      registry.audiences.replaceAll(workspace.audiences);
      registry.clients.replaceAll(workspace.clients);
      registry.users.replaceAll(workspace.users);
      faults.replaceAll(workspace.faults);
      saved.flows.replaceAll(workspace.saved_flows ?? []);
      saved.requests.replaceAll(workspace.saved_requests ?? []);
      service.setShape(shape);
      service.setSettings(issuer === null ? settings : { ...settings, issuer });
    },
  };
}
