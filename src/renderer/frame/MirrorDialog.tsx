// The dialog that makes a workspace from a provider’s public documents. Only the window has it; its main process sends
// the requests and asks for confirmation.

import {
  Button,
  Textarea,
  TextInput,
  Modal,
  Box,
  Group,
  SimpleGrid,
  Stack,
  Text,
} from '@mantine/core';
import { useEffect, useLayoutEffect, useRef, useState } from 'react';
import { MIRROR_BOUNDS } from '../../control/names.ts';
import type { MirrorInput, MirrorSummary } from '../../control/window-contract.ts';
import type { AppWindow } from '../actions/window.ts';
import { useRecordForm } from '../ui/record-form.tsx';
import { attempt } from '../actions/sandbox.ts';
import { notify } from '../ui/notify.tsx';
import { confirm } from '../ui/confirm.ts';
import { mirrorDialog } from './dialogs.ts';
import { ActionButton } from '../ui/buttons.tsx';
import { Hint } from '../ui/panel.tsx';

interface MirrorDraft extends Record<string, unknown>, MirrorInput {}

function checkDraft(draft: MirrorDraft) {
  if (draft.issuer.trim() === '') return { issuer: 'Enter the issuer of the provider.' };
  const long = (['issuer', 'token'] as const).filter(
    (name) => draft[name].length > MIRROR_BOUNDS[name],
  );
  return Object.fromEntries(
    long.map((name) => [name, `Must have at most ${MIRROR_BOUNDS[name]} characters.`]),
  );
}

interface MirrorFormProps {
  readonly own: AppWindow;
  readonly initial: MirrorInput;
  readonly onMade: (made: MirrorSummary, of: MirrorInput) => void;
  readonly onClose: () => void;
}

function MirrorForm({ own, initial, onMade, onClose }: MirrorFormProps) {
  const running = useRef<AbortController>(null);
  useEffect(() => () => running.current?.abort(), []);
  const { form, busy, submit, element } = useRecordForm<MirrorDraft, unknown>({
    initial: { ...initial },
    validate: checkDraft,
    failure: 'The provider was not mirrored.',
    save: async (draft) => {
      const run = new AbortController();
      running.current = run;
      try {
        onMade(await own.mirror(draft, { signal: run.signal }), draft);
      } catch (error) {
        if (!run.signal.aborted) throw error;
      }
    },
  });
  return (
    <form onSubmit={submit} ref={element} noValidate>
      <Stack>
        <TextInput
          label="Issuer"
          description="An https URL, or http on a loopback address. Only the public metadata and JWK Set are requested."
          placeholder="https://login.example.com/"
          spellCheck={false}
          readOnly={busy}
          data-autofocus
          autoFocus // On the way back, when the dialog is already open.
          {...form.getInputProps('issuer')}
        />
        <Textarea
          label="Sample token (optional)"
          description="An access token from the provider. It is decoded on this machine and not sent anywhere. Its claims keep their names but get generated values."
          autosize
          minRows={3}
          maxRows={6}
          spellCheck={false}
          readOnly={busy}
          classNames={{ input: 'mono' }}
          {...form.getInputProps('token')}
        />
        <Group gap="xs" justify="flex-end">
          <Hint span flex={1} role="status">
            {busy && 'Requesting the metadata and the JWK Set…'}
          </Hint>
          <Button variant="subtle" onClick={() => (busy ? running.current?.abort() : onClose())}>
            Cancel
          </Button>
          <Button type="submit" variant="filled" loading={busy}>
            Mirror
          </Button>
        </Group>
      </Stack>
    </form>
  );
}

function MirroredParts({ endpoints, metadata, claims, signing_alg }: MirrorSummary) {
  const lists = [
    ['Signing algorithm', signing_alg === null ? [] : [signing_alg]],
    ['Claims of the sample token', claims],
    ['Metadata', metadata],
  ] as const;
  return (
    <Stack component="dl" gap="xs" mb="md" fz="xs">
      {endpoints.map(({ name, path }) => (
        <SimpleGrid cols={2} spacing="sm" key={name}>
          <dt>{name}</dt>
          <dd className="mono">{path}</dd>
        </SimpleGrid>
      ))}
      {lists.map(([label, names]) => (
        <SimpleGrid cols={2} spacing="sm" key={label}>
          <dt>{label}</dt>
          <dd>{names.join(', ') || 'None'}</dd>
        </SimpleGrid>
      ))}
    </Stack>
  );
}

interface MirrorResultProps {
  readonly own: AppWindow;
  readonly made: MirrorSummary;
  readonly onBack: () => void;
  readonly onSaved: () => void;
}

/** What was imported and what was not. The mirror is saved in its own file before it is used. */
function MirrorResult({ own, made, onBack, onSaved }: MirrorResultProps) {
  const save = () =>
    attempt('The mirror was not saved.', async () => {
      const { file, opened } = await own.saveMirror();
      if (file === null) return;
      notify(opened ? `${made.name} is open` : `Saved as ${file}, but not opened`);
      onSaved();
    });
  const parts = useRef<HTMLDivElement>(null);
  useLayoutEffect(() => parts.current?.focus(), []);
  return (
    <>
      <Box
        ref={parts}
        mah="56vh"
        mb="md"
        style={{ overflow: 'auto' }}
        tabIndex={0}
        role="region"
        aria-label="Mirrored workspace"
      >
        <Text component="h3" mb="xs" fw="bold">
          Imported
        </Text>
        <MirroredParts {...made} />
        <Text component="h3" mb="xs" fw="bold">
          Omitted or different
        </Text>
        <Box component="ul" pl="md" fz="xs" style={{ overflowWrap: 'anywhere' }}>
          {made.notes.map((note) => (
            <li key={note}>{note}</li>
          ))}
          {made.notes.length === 0 && <li>Nothing.</li>}
        </Box>
      </Box>
      <Group gap="xs" justify="flex-end">
        <Hint span flex={1}>
          Your current workspace is not changed yet.
        </Hint>
        <Button variant="subtle" onClick={onBack}>
          Back
        </Button>
        <ActionButton variant="filled" run={save}>
          Save and open…
        </ActionButton>
      </Group>
    </>
  );
}

const DISCARD = {
  title: 'Discard the mirror?',
  body: 'It is not saved yet.',
  confirm: 'Discard',
  danger: true,
};

function Opened({ own }: { readonly own: AppWindow }) {
  const [draft, setDraft] = useState<MirrorInput>({ issuer: '', token: '' });
  const [made, setMade] = useState<MirrorSummary | null>(null);
  const show = (summary: MirrorSummary, of: MirrorInput) => {
    setDraft(of);
    setMade(summary);
  };
  const close = async () => {
    if (made === null || (await confirm(DISCARD))) mirrorDialog.close();
  };
  return (
    <Modal opened onClose={() => void close()} title={made?.name ?? 'Mirror a provider'} size="lg">
      {made === null ? (
        <MirrorForm own={own} initial={draft} onMade={show} onClose={mirrorDialog.close} />
      ) : (
        <MirrorResult
          own={own}
          made={made}
          onBack={() => setMade(null)}
          onSaved={mirrorDialog.close}
        />
      )}
    </Modal>
  );
}

/** Makes a workspace that imitates a provider. The current one changes only when the mirror is opened. */
export function MirrorDialog({ own }: { readonly own: AppWindow }) {
  const { opened } = mirrorDialog.useShown();
  return opened ? <Opened own={own} /> : null;
}
