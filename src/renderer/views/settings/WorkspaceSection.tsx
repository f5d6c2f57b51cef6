import { Button } from '@mantine/core';
import type { ReactNode } from 'react';
import type { ServerState } from '../../../control/schemas.ts';
import { usePage } from '../../connection/state.ts';
import { appWindow, openWorkspace, saveWorkspaceAs } from '../../actions/window.ts';
import {
  chooseWorkspaceFile,
  exportWorkspace,
  resetSandbox,
  resetTarget,
  resetWorkspace,
} from '../../actions/workspace.ts';
import { Section, SettingRow } from './Section.tsx';
import classes from './Settings.module.css';
import { useNeed } from '../../ui/use-need.ts';

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

interface ActionRowProps {
  readonly label: string;
  readonly help: string;
  readonly children: ReactNode;
}

function ActionRow({ label, help, children }: ActionRowProps) {
  return (
    <SettingRow end label={label} help={help}>
      {() => <div className={classes.actions}>{children}</div>}
    </SettingRow>
  );
}

function FileRow({ name, file, state, message }: Workspace) {
  const own = appWindow;
  const told = message === null ? SAVED[state] : `${SAVED[state]} ${message}`;
  return (
    <ActionRow label={file === null ? name : `${name} (${file})`} help={`${told}${HOW}`}>
      {own !== null && (
        <>
          <Button onClick={() => void openWorkspace(own)}>Open…</Button>
          <Button onClick={() => void saveWorkspaceAs(own)}>Save as…</Button>
        </>
      )}
    </ActionRow>
  );
}

/** The workspace as a whole: its file, bringing another in, taking it along, starting over. */
export function WorkspaceSection() {
  const needs = useNeed('connection');
  const workspace = usePage((state) => state.server?.workspace);
  if (workspace === undefined) return null;
  const target = resetTarget(workspace.file);
  return (
    <Section
      title="Workspace"
      about="Clients, users, audiences, settings and fault rules, as one file."
    >
      <FileRow {...workspace} />
      <ActionRow
        label="Import"
        help="Replaces the current workspace, after a preview. You can also drop the file on the page. What it replaces is kept until Grantbench stops: the newest 10 can be undone (Alt+Z)."
      >
        <Button onClick={chooseWorkspaceFile} {...needs}>
          Import…
        </Button>
      </ActionRow>
      <ActionRow label="Export" help="One JSON file, including client secrets.">
        <Button onClick={() => void exportWorkspace()} {...needs}>
          Export
        </Button>
      </ActionRow>
      <ActionRow
        label="Reset the sandbox"
        help="Deletes credentials, exchanges and counters, and returns the clock to real time. Clients, users and settings are kept. Asks first; cannot be undone."
      >
        <Button color="bad" onClick={() => void resetSandbox()} {...needs}>
          Reset the sandbox…
        </Button>
      </ActionRow>
      <ActionRow
        label={`Reset to ${target}`}
        help={
          workspace.file === null
            ? 'The same, and clients, users, audiences and settings become what they were when Grantbench started.'
            : 'The same, and reads clients, users, audiences and settings from the file again.'
        }
      >
        <Button color="bad" onClick={() => void resetWorkspace()} {...needs}>
          Reset to {workspace.file === null ? 'the start' : 'the file'}…
        </Button>
      </ActionRow>
    </Section>
  );
}
