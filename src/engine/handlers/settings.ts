// Settings and the whole workspace.

import type { Settings } from '../../control/schemas.ts';
import { settingsSchema } from '../../control/schemas.ts';
import { conflict, invalid } from './control-error.ts';
import { mergePatch } from '../../core/records/merge-patch.ts';
import type { EngineParts } from '../parts.ts';
import { IN_WORDS } from '../../core/records/in-words.ts';
import { below, problemsOf } from '../../core/records/problems.ts';
import { checkWorkspace } from '../workspace/document.ts';
import { savedSecrets } from '../workspace/saved-secrets.ts';
import { os } from './os.ts';

function patched(settings: Settings, patch: Record<string, unknown>): Settings {
  const merged = mergePatch(settings, patch);
  const result = settingsSchema.safeParse(merged, IN_WORDS);
  if (result.success) return result.data;
  throw invalid(
    problemsOf(result.error.issues, merged).map(({ path, message }) => ({
      path: below('settings', path),
      message,
    })),
  );
}

/** The issuer is an audience by itself; a client whose default it is would be left without. */
function checkIssuerUnused(former: string | null, { registry }: EngineParts['service']): void {
  if (former === null || registry.audiences.get(former) !== undefined) return;
  const user = registry.clients.list().find((client) => client.default_audience === former);
  if (user === undefined) return;
  throw conflict(
    `"${former}" is the default audience of the client "${user.client_id}"`,
    'settings.issuer',
  );
}

export function settingsHandlers({ service, keys }: EngineParts) {
  return {
    get: os.settings.get.handler(() => service.settings()),
    update: os.settings.update.handler(async ({ input }) => {
      await keys.ensure(patched(service.settings(), input).signing_alg);
      // Read again: others may have changed something while the key was made.
      const former = service.settings();
      const next = patched(former, input);
      if (next.issuer !== former.issuer) checkIssuerUnused(former.issuer, service);
      service.setSettings(next);
      return next;
    }),
  };
}

export function workspaceHandlers({ workspace, redaction }: EngineParts) {
  return {
    get: os.workspace.get.handler(() => workspace.current()),
    put: os.workspace.put.handler(async ({ input }) => {
      const checked = await checkWorkspace(input);
      if ('problems' in checked) throw invalid(checked.problems);
      const secrets = savedSecrets(checked.value, redaction.holdsSecret);
      if (secrets.length > 0) throw invalid(secrets);
      await workspace.replace(checked.value);
      return workspace.current();
    }),
  };
}
