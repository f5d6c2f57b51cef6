// Settings and the whole workspace.

import { basename } from 'node:path';
import { type Settings, settingsSchema } from '../../control/schemas.ts';
import { MOST_PROBLEMS } from '../../core/records/bounds.ts';
import type { Workspace } from '../../core/records/schemas.ts';
import { conflict, existing, invalid } from './control-error.ts';
import { mergePatch } from '../../core/records/merge-patch.ts';
import type { EngineParts } from '../parts.ts';
import { sentence } from '../../core/records/problems.ts';
import { checkWorkspace, checkWorkspaceText, WorkspaceError } from '../workspace/document.ts';
import { liveView } from './credentials.ts';
import { timeText } from '../format.ts';
import { isSameWorkspace } from '../workspace/former.ts';
import { savedSecrets } from '../workspace/saved-secrets.ts';
import { os } from './implementer.ts';
import { checkNoDefault, patched } from './records.ts';

const changed = (settings: Settings, patch: Record<string, unknown>): Settings =>
  patched(settingsSchema, (keepNames) => mergePatch(settings, patch, keepNames), 'settings');

/** The issuer is implicitly an audience, so changing it would remove the default audience of such a client. */
function checkIssuerUnused(former: string | null, { registry }: EngineParts['service']): void {
  if (former === null || registry.audiences.get(former) !== undefined) return;
  checkNoDefault(former, registry, 'settings.issuer');
}

export function settingsHandlers({ service, keys }: EngineParts) {
  return {
    get: os.settings.get.handler(() => service.settings()),
    update: os.settings.update.handler(async ({ input }) => {
      await keys.ensure(changed(service.settings(), input).signing_alg);
      // Read again, because settings may have changed while the key was generated.
      const former = service.settings();
      const next = changed(former, input);
      if (next.issuer !== former.issuer) checkIssuerUnused(former.issuer, service);
      service.setSettings(next);
      return next;
    }),
  };
}

/** @throws ORPCError `conflict` with all problems of the workspace file */
export async function readable<T>(read: () => Promise<T>): Promise<T> {
  try {
    return await read();
  } catch (error) {
    if (!(error instanceof WorkspaceError)) throw error;
    throw conflict(`${basename(error.file)}: ${sentence(error.problems)}; nothing was reset`);
  }
}

const contentsOf = ({ name, clients, users, audiences, faults }: Workspace) => ({
  name,
  clients: clients.length,
  users: users.length,
  audiences: audiences.length,
  faults: faults.length,
});

export function workspaceHandlers({ service, workspace, redaction }: EngineParts) {
  const secretsIn = (document: Workspace) => savedSecrets(document, redaction.holdsSecret);
  const find = (id: number) =>
    existing(
      workspace.former.list().find((one) => one.id === id),
      'former workspace',
      id,
    );
  /** The credentials of clients that would be removed. */
  const ended = (next: Workspace) => {
    const stay = new Set(next.clients.map(({ client_id }) => client_id));
    const live = [...service.ports.stores.liveByClient(service.isLive)];
    return liveView(
      ...live.filter(([client_id]) => !stay.has(client_id)).map(([, counts]) => counts),
    );
  };
  const previewOf = (next: Workspace) => {
    const current = workspace.current();
    const unchanged = isSameWorkspace(current, next);
    return {
      problems: [],
      contents: contentsOf(next),
      ends: ended(next),
      unchanged,
      undo: !unchanged && workspace.former.hasRoomFor(current, next),
    };
  };
  return {
    get: os.workspace.get.handler(() => workspace.current()),
    put: os.workspace.put.handler(async ({ input }) => {
      const checked = await checkWorkspace(input);
      if ('problems' in checked) throw invalid(checked.problems);
      const secrets = secretsIn(checked.value);
      if (secrets.length > 0) throw invalid(secrets);
      await workspace.replace(checked.value);
      return workspace.current();
    }),
    preview: os.workspace.preview.handler(async ({ input: { text, former } }) => {
      if (former !== undefined) return previewOf(find(former).workspace);
      if (text === undefined) return previewOf(await readable(workspace.reloaded));
      const checked = await checkWorkspaceText(text, secretsIn);
      if ('value' in checked) return previewOf(workspace.replaced(checked.value));
      const problems = checked.problems.slice(0, MOST_PROBLEMS);
      return { problems, contents: null, ends: liveView(), unchanged: false, undo: false };
    }),
    former: os.workspace.former.handler(() => ({
      items: workspace.former.list().map(({ id, replaced_at, workspace: kept }) => ({
        id,
        ...contentsOf(kept),
        replaced_at: timeText(replaced_at),
      })),
      next: null,
    })),
    restore: os.workspace.restore.handler(async ({ input: { id } }) => {
      await workspace.restore(find(id));
      return workspace.current();
    }),
  };
}
