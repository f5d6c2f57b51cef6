import { Box, Button, Group, Modal, Paper, Stack, Text } from '@mantine/core';
import { IconAlertTriangle } from '@tabler/icons-react';
import type { ReactNode } from 'react';
import { useStore } from 'zustand';
import { MOST_PROBLEMS } from '../../control/names.ts';
import { countOf } from '../../control/questions.ts';
import type { WorkspacePreview } from '../../control/schemas.ts';
import { pluralize } from '../../words.ts';
import {
  applyImport,
  closeImport,
  contentsInWords,
  endsInWords,
  importDialog,
  undoWords,
} from '../actions/workspace.ts';
import { usePage } from '../connection/state.ts';
import { ActionButton } from '../ui/buttons.tsx';

type Problem = WorkspacePreview['problems'][number];

function Rejected({ what, children }: { readonly what: string; readonly children: ReactNode }) {
  return (
    <Paper p="sm" bg="var(--bad-soft)" role="alert">
      <Group component="p" gap="xs" wrap="nowrap" mb="xs" fw="var(--w-medium)" c="var(--bad)">
        <IconAlertTriangle size="1.1em" aria-hidden="true" /> {what} Nothing was changed.
      </Group>
      {children}
    </Paper>
  );
}

const LIST = { mah: '40vh', style: { overflow: 'auto', overflowWrap: 'anywhere' } } as const;

function Problems({ problems }: { readonly problems: readonly Problem[] }) {
  const count = pluralize(problems.length, 'error');
  const words = problems.length < MOST_PROBLEMS ? count : `${count} or more`;
  return (
    <Rejected what={`The file cannot be imported: it has ${words}.`}>
      <Stack component="ol" gap={4} pl="xl" tabIndex={0} aria-label="Errors" {...LIST}>
        {problems.map(({ path, message, line, column }) => (
          <li key={`${line}:${column} ${path} ${message}`}>
            <b>Line {line}</b>
            {path !== '' && <code> {path}</code>} {message}
          </li>
        ))}
      </Stack>
    </Rejected>
  );
}

/** Says before the import what it replaces, what ends permanently, and what can be undone. */
function Preview(preview: WorkspacePreview) {
  const { contents, ends, unchanged } = preview;
  const current = usePage((state) => state.server?.workspace.name ?? '');
  return (
    <Stack gap="sm">
      <Text c="dimmed">
        The file contains {contentsInWords(contents)}.
        {!unchanged &&
          ` It replaces the clients, users, audiences, APIs, settings and fault rules of “${current}”. Saved flows, saved requests and check results are kept unless the file has its own.`}
      </Text>
      {countOf(ends) > 0 && (
        <Paper p="sm" bg="var(--warn-soft)">
          <Group component="p" gap="xs" wrap="nowrap" align="baseline">
            <IconAlertTriangle size="1.1em" color="var(--warn)" aria-hidden="true" />{' '}
            {endsInWords(ends)}
          </Group>
        </Paper>
      )}
      <Text c="dimmed">{undoWords(current, preview)}</Text>
    </Stack>
  );
}

/** Previews a workspace file and asks before it replaces the current workspace. */
export function ImportDialog() {
  const { file, preview, failure } = useStore(importDialog);
  const problems = preview?.problems ?? [];
  const rejected = failure !== null || problems.length > 0;
  return (
    <Modal opened={file !== null} onClose={closeImport} title={`Import ${file ?? ''}`}>
      {failure !== null && (
        <Rejected what="The file cannot be imported.">
          <Box component="p" pl="md" {...LIST}>
            {failure}
          </Box>
        </Rejected>
      )}
      {failure === null && problems.length > 0 && <Problems problems={problems} />}
      {!rejected && preview !== null && <Preview {...preview} />}
      {!rejected && preview === null && (
        <Text c="dimmed" role="status">
          Checking the file…
        </Text>
      )}
      <Group justify="flex-end" gap="xs" mt="md">
        <Button onClick={closeImport} data-autofocus>
          {rejected ? 'Close' : 'Cancel'}
        </Button>
        {!rejected && (
          <ActionButton
            variant="filled"
            disabled={preview === null}
            needs="connection"
            run={applyImport}
          >
            Import workspace
          </ActionButton>
        )}
      </Group>
    </Modal>
  );
}
