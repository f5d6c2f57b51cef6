import { Box, Button, Group, Select, Stack, Tabs, Text } from '@mantine/core';
import { IconAlertTriangle, IconClipboardText, IconInfoCircle, IconX } from '@tabler/icons-react';
import { type ReactNode, useEffect, useRef, useState } from 'react';
import { useIssuer } from '../../connection/state.ts';
import { ActionButton, CopyButton, IconButton } from '../../ui/buttons.tsx';
import { PanelHead, Hint } from '../../ui/panel.tsx';
import { titleOf } from './templates.ts';
import { changeRequests, useRequests } from './requests-store.ts';
import { ClientBar, TargetBar } from './ComposerBars.tsx';
import { navigate } from '../../navigation/route.ts';
import { dismissNote, mintAndFill, sendMany } from './request-actions.ts';
import { COMPOSER_TABS, type ComposerTab, type Note } from './requests-state.ts';
import { type FieldRow, isBlank } from '../../composing/field-rows.ts';
import { BodyTab, HeadersTab, QueryTab } from './ComposerFields.tsx';
import { useLocalStorage } from '@mantine/hooks';
import { CodeBlock } from '../../ui/CodeBlock.tsx';
import { maskedText, requestTextOf } from '../../composing/draft.ts';
import { LANGUAGES } from '../../snippets/languages.ts';
import { PaceCounts, PaceWay } from '../../sending/RepetitionParts.tsx';
import { FIRST_PACE, type PaceForm, repeatOf } from '../../sending/repeat-request.ts';
import { wantedBy } from '../../composing/credential-places.ts';
import classes from './Requests.module.css';

const startPasting = () => changeRequests({ pasting: true });

/** Focuses the first invalid field when the user tries to send. */
function useMarkedFocus() {
  const ref = useRef<HTMLDivElement>(null);
  const attempts = useRequests((state) => state.invalid_attempts);
  useEffect(() => {
    if (attempts > 0) ref.current?.querySelector<HTMLElement>('[aria-invalid="true"]')?.focus();
  }, [attempts]);
  return ref;
}

export function Composer() {
  const title = useRequests(({ saved_as, draft }) => saved_as ?? titleOf(draft));
  const target = useRequests((state) => state.draft.target);
  const issuer = useIssuer();
  const ref = useMarkedFocus();
  return (
    <>
      <PanelHead title={title}>
        <CopyButton value={`${new URL(issuer).origin}${target}`} label="Copy URL" text="Copy URL" />
        <Button variant="subtle" leftSection={<IconClipboardText />} onClick={startPasting}>
          Paste curl
        </Button>
      </PanelHead>
      <div ref={ref} style={{ display: 'contents' }}>
        <TargetBar />
        <ClientBar />
        <NoteList />
        <ComposerTabs />
      </div>
    </>
  );
}

const ICONS = { missing: IconAlertTriangle, failed: IconAlertTriangle, changed: IconInfoCircle };
const COLORS = { missing: 'warn', failed: 'bad', changed: 'info' };
const NOTE_NAMES = { missing: 'Missing', failed: 'Failed', changed: 'Changed' };

function Remedy({ note: { lacking } }: { readonly note: Note }) {
  const client_id = useRequests((state) => state.draft.client_id);
  if (lacking === undefined) return null;
  if (lacking !== 'redirect_uri') {
    return <Button onClick={() => void mintAndFill()}>Issue a pair</Button>;
  }
  return <Button onClick={() => void navigate('clients', client_id)}>Edit the client</Button>;
}

function NoteLine({ note }: { readonly note: Note }) {
  const Icon = ICONS[note.kind];
  return (
    <Group
      component="li"
      className={classes.note}
      gap="xs"
      wrap="nowrap"
      fz="xs"
      bg={`var(--${COLORS[note.kind]}-soft)`}
    >
      <Icon size={14} color={`var(--${COLORS[note.kind]})`} aria-label={NOTE_NAMES[note.kind]} />
      <Box flex={1}>{note.text}</Box>
      <Remedy note={note} />
      <IconButton
        label="Dismiss the note"
        tip="Dismiss"
        icon={IconX}
        onClick={() => dismissNote(note)}
      />
    </Group>
  );
}

/** Notes on the current request, announced as soon as they appear. */
export function NoteList() {
  const notes = useRequests((state) => state.notes);
  return (
    <div role="status">
      {notes.length > 0 && (
        <Stack
          component="ul"
          role="list"
          style={{ overflow: 'auto' }}
          gap="var(--s1)"
          mah="30vh"
          p="0 var(--s4) var(--s3)"
          aria-label="Notes on the request"
        >
          {notes.map((note) => (
            <NoteLine key={note.text} note={note} />
          ))}
        </Stack>
      )}
    </div>
  );
}

const TAB_NAMES: Record<ComposerTab, string> = {
  body: 'Body',
  query: 'Query',
  headers: 'Headers',
  code: 'Code',
  repeat: 'Repeat',
};

const CONTENT: Record<ComposerTab, ReactNode> = {
  body: <BodyTab />,
  query: <QueryTab />,
  headers: <HeadersTab />,
  code: <CodeTab />,
  repeat: <RepeatTab />,
};

const open = (value: string | null) => {
  const tab = COMPOSER_TABS.find((one) => one === value);
  if (tab !== undefined) changeRequests({ tab });
};

const countOf = (rows: readonly FieldRow[] | null): number =>
  rows?.filter((row) => !isBlank(row)).length ?? 0;

export function ComposerTabs() {
  const tab = useRequests((state) => state.tab);
  const { body, query, headers } = useRequests((state) => state.draft);
  const counts: Partial<Record<ComposerTab, number>> = {
    body: countOf(body.rows),
    query: countOf(query),
    headers: countOf(headers),
  };
  return (
    <Tabs value={tab} onChange={open} keepMounted={false} mih={180}>
      <Tabs.List>
        {COMPOSER_TABS.map((name) => (
          <Tabs.Tab key={name} value={name}>
            {TAB_NAMES[name]}
            {(counts[name] ?? 0) > 0 && (
              <Text span inherit ml="var(--s1h)" fz="var(--fs-xs)" ff="monospace" c="var(--faint)">
                {counts[name]}
              </Text>
            )}
          </Tabs.Tab>
        ))}
      </Tabs.List>
      {COMPOSER_TABS.map((name) => (
        <Tabs.Panel key={name} value={name}>
          <Stack gap="sm" mih="100%" px="md" pt="sm" pb="md">
            {CONTENT[name]}
          </Stack>
        </Tabs.Panel>
      ))}
    </Tabs>
  );
}

export function CodeTab() {
  const draft = useRequests((state) => state.draft);
  const issuer = useIssuer();
  const [id, setId] = useLocalStorage({ key: 'grantbench.snippet', defaultValue: 'curl' });
  const language = LANGUAGES.find((one) => one.id === id) ?? LANGUAGES[0];
  const request = requestTextOf(draft, new URL(issuer).origin);
  const shown = maskedText(request);
  const hides = JSON.stringify(shown) !== JSON.stringify(request);
  const { text, notes } = language.write(shown);
  return (
    <>
      <Select
        label="Copy as"
        description={language.about}
        value={language.id}
        onChange={(value) => setId(value ?? 'curl')}
        data={LANGUAGES.map(({ id: value, name }) => ({ value, label: name }))}
      />
      {notes.map((note) => (
        <Text key={note} size="xs" c="var(--warn)">
          {note}
        </Text>
      ))}
      <CodeBlock
        text={text}
        copies={language.write(request).text}
        label={`request as ${language.name}`}
      />
      {hides && <Hint>The secret is masked here, but included when you copy.</Hint>}
    </>
  );
}

export function RepeatTab() {
  const busy = useRequests((state) => state.busy !== null);
  const single = useRequests((state) => wantedBy(state.draft).has('code'));
  const [form, setForm] = useState<PaceForm>({ times: 50, ...FIRST_PACE });
  const change = (wanted: Partial<PaceForm>) => setForm({ ...form, ...wanted });
  return (
    <>
      <Stack gap="xs" maw="26rem">
        <PaceWay form={form} onChange={change} />
        <Group grow gap="sm" align="flex-end">
          <PaceCounts form={form} onChange={change} />
        </Group>
      </Stack>
      <ActionButton
        mr="auto"
        variant="filled"
        onClick={() => void sendMany(repeatOf(form))}
        busy={busy}
        needs="server"
      >
        {`Send ${form.times.toLocaleString('en')} times`}
      </ActionButton>
      <Hint>
        {single
          ? 'A code works only once, so at most one of these requests gets tokens.'
          : 'Each is a separate request over real HTTP and is throttled like any other.'}
      </Hint>
    </>
  );
}
