import { Button, Group } from '@mantine/core';
import type { ServerState } from '../../../control/schemas.ts';
import { usePage } from '../../connection/state.ts';
import { appWindow, openWorkspace, saveWorkspaceAs } from '../../actions/window.ts';
import {
  chooseWorkspaceFile,
  exportWorkspace,
  FORMER_LIMIT,
  resetSandbox,
  resetTarget,
  resetWorkspace,
} from '../../actions/workspace.ts';
import { Section, SettingRow } from './Section.tsx';
import { ActionButton } from '../../ui/buttons.tsx';

type Workspace = ServerState['workspace'];

const SAVED: Record<Workspace['state'], string> = {
  saved: 'Every change is saved to it immediately.',
  saving: 'Saving…',
  memory: 'Changes are kept in memory only and are lost when Grantbench stops.',
  conflict: 'Not saved: another program changed the file, and nothing was overwritten.',
  failed: 'Not saved.',
};

const HOW =
  appWindow === null
    ? ' To read another file, start with grantbench serve --workspace FILE; add --save to save changes to it.'
    : '';

function FileRow({ name, file, state, message }: Workspace) {
  const own = appWindow;
  const status = message === null ? SAVED[state] : `${SAVED[state]} ${message}`;
  return (
    <SettingRow end label={file === null ? name : `${name} (${file})`} help={`${status}${HOW}`}>
      {own !== null && (
        <Group gap="xs" wrap="nowrap">
          <Button onClick={() => void openWorkspace(own)}>Open…</Button>
          <Button onClick={() => void saveWorkspaceAs(own)}>Save as…</Button>
        </Group>
      )}
    </SettingRow>
  );
}

export function WorkspaceSection() {
  const workspace = usePage((state) => state.server?.workspace);
  if (workspace === undefined) return null;
  const target = resetTarget(workspace.file);
  return (
    <Section
      title="Workspace"
      about="Clients, users, audiences, settings and fault rules, as one file."
    >
      <FileRow {...workspace} />
      <SettingRow
        end
        label="Import"
        help={`Previews a file, then replaces the current workspace with it. You can also drop the file on the page. Until Grantbench stops, Undo (Alt+Z) restores a former workspace. ${FORMER_LIMIT}`}
      >
        <ActionButton needs="connection" onClick={chooseWorkspaceFile}>
          Import…
        </ActionButton>
      </SettingRow>
      <SettingRow
        end
        label="Export"
        help="One JSON file, including client secrets, user passwords and the workspace’s own signing keys."
      >
        <ActionButton needs="connection" onClick={() => void exportWorkspace()}>
          Export
        </ActionButton>
      </SettingRow>
      <SettingRow
        end
        label="Reset the sandbox"
        help="Deletes credentials, exchanges and counters, and returns the clock to real time. Clients, users and settings are kept. You are asked to confirm first. This cannot be undone."
      >
        <ActionButton color="bad" needs="connection" onClick={() => void resetSandbox()}>
          Reset the sandbox…
        </ActionButton>
      </SettingRow>
      <SettingRow
        end
        label={`Reset to ${target}`}
        help={
          workspace.file === null
            ? 'Resets the sandbox and restores the clients, users, audiences and settings that Grantbench started with.'
            : 'Resets the sandbox and reads clients, users, audiences and settings from the file again.'
        }
      >
        <ActionButton color="bad" needs="connection" onClick={() => void resetWorkspace()}>
          Reset to {target}…
        </ActionButton>
      </SettingRow>
    </Section>
  );
}
