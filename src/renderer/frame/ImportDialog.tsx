import { Button, Group, Modal } from '@mantine/core';
import { IconAlertTriangle } from '@tabler/icons-react';
import { useState, type ReactNode } from 'react';
import { useStore } from 'zustand';
import type { WorkspacePreview } from '../../control/schemas.ts';
import { countOf } from '../../control/questions.ts';
import {
  importDialog,
  contentsInWords,
  endsInWords,
  closeImport,
  applyImport,
  undoWords,
} from '../actions/workspace.ts';
import { usePage } from '../connection/state.ts';
import { pluralize } from '../ui/short-forms.ts';
import { useNeed } from '../ui/use-need.ts';
import classes from './ImportDialog.module.css';

type Problem = WorkspacePreview['problems'][number];

function Refused({ what, children }: { readonly what: string; readonly children: ReactNode }) {
  return (
    <div className={classes.problems} role="alert">
      <p className={classes.lead}>
        <IconAlertTriangle size="1.1em" aria-hidden="true" /> {what} Nothing was changed.
      </p>
      {children}
    </div>
  );
}

function Problems({ problems }: { readonly problems: readonly Problem[] }) {
  return (
    <Refused what={`The file cannot be imported: it has ${pluralize(problems.length, 'error')}.`}>
      <ol className={classes.list}>
        {problems.map(({ path, message, line, column }) => (
          <li key={`${line}:${column} ${path} ${message}`}>
            <b>Line {line}</b>
            {path !== '' && <code> {path}</code>} {message}
          </li>
        ))}
      </ol>
    </Refused>
  );
}

/** Says before the import what it replaces, what ends permanently, and what can be undone. */
function Preview({ contents, ends, undo }: WorkspacePreview) {
  const current = usePage((state) => state.server?.workspace.name ?? '');
  return (
    <>
      <p className={classes.text}>
        The file contains {contentsInWords(contents)}. It replaces everything in “{current}”:
        clients, users, audiences, settings and fault rules.
      </p>
      {countOf(ends) > 0 && (
        <p className={classes.ends}>
          <IconAlertTriangle size="1.1em" aria-hidden="true" /> {endsInWords(ends)}
        </p>
      )}
      <p className={classes.text}>{undoWords(current, undo)}</p>
    </>
  );
}

/** Previews a workspace file and asks before it replaces the current workspace. */
export function ImportDialog() {
  const { file, preview, failure } = useStore(importDialog);
  const [busy, setBusy] = useState(false);
  const needs = useNeed('connection');
  const problems = preview?.problems ?? [];
  const refused = failure !== null || problems.length > 0;
  const take = async () => {
    setBusy(true);
    await applyImport();
    setBusy(false);
  };
  return (
    <Modal opened={file !== null} onClose={closeImport} title={`Import ${file ?? ''}`}>
      {failure !== null && (
        <Refused what="The file cannot be imported.">
          <p className={classes.list}>{failure}</p>
        </Refused>
      )}
      {failure === null && problems.length > 0 && <Problems problems={problems} />}
      {!refused && preview !== null && <Preview {...preview} />}
      {!refused && preview === null && (
        <p className={classes.text} role="status">
          Checking the file…
        </p>
      )}
      <Group justify="flex-end" gap="xs" mt="md">
        <Button onClick={closeImport} data-autofocus>
          {refused ? 'Close' : 'Cancel'}
        </Button>
        {!refused && (
          <Button
            variant="filled"
            disabled={preview === null}
            loading={busy}
            onClick={() => void take()}
            {...needs}
          >
            Import workspace
          </Button>
        )}
      </Group>
    </Modal>
  );
}
