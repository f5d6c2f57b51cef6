import { Button, Group, Modal } from '@mantine/core';
import { IconAlertTriangle } from '@tabler/icons-react';
import { useState } from 'react';
import { useStore } from 'zustand';
import {
  brought,
  putAside,
  takeBrought,
  type WorkspaceDocument,
} from '../actions/workspace-import.ts';
import { pluralize } from '../ui/short-forms.ts';
import classes from './ImportDialog.module.css';

const LISTS = ['clients', 'users', 'audiences', 'faults', 'keys'] as const;

function counts(document: WorkspaceDocument): string {
  const words = LISTS.flatMap((name) => {
    const list = document[name];
    return Array.isArray(list) ? [pluralize(list.length, name.slice(0, -1), name)] : [];
  });
  return words.join(', ') || 'only the defaults';
}

function Problems({ problems }: { readonly problems: readonly string[] }) {
  return (
    <div className={classes.problems} role="alert">
      <p className={classes.lead}>
        <IconAlertTriangle size="1.1em" aria-hidden="true" /> The file cannot be imported. Nothing
        was changed.
      </p>
      <ul className={classes.list}>
        {problems.map((problem) => (
          <li key={problem}>{problem}</li>
        ))}
      </ul>
    </div>
  );
}

/** Previews a workspace file and asks before it replaces the current workspace. */
export function ImportDialog() {
  const { file, document, problems } = useStore(brought);
  const [busy, setBusy] = useState(false);
  const take = async () => {
    setBusy(true);
    await takeBrought();
    setBusy(false);
  };
  return (
    <Modal opened={file !== null} onClose={putAside} title={`Import ${file ?? ''}`}>
      {problems.length > 0 && <Problems problems={problems} />}
      {problems.length === 0 && document !== null && (
        <p className={classes.text}>
          The file contains {counts(document)}. It replaces all current clients, users, audiences,
          settings and fault rules. You can undo this.
        </p>
      )}
      <Group justify="flex-end" gap="xs" mt="md">
        <Button onClick={putAside}>{problems.length > 0 ? 'Close' : 'Cancel'}</Button>
        {problems.length === 0 && (
          <Button variant="filled" loading={busy} onClick={() => void take()} data-autofocus>
            Import workspace
          </Button>
        )}
      </Group>
    </Modal>
  );
}
