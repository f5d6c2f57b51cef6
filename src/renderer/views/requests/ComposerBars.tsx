import {
  Autocomplete,
  Button,
  Group,
  Popover,
  SegmentedControl,
  Select,
  Text,
  TextInput,
  Tooltip,
} from '@mantine/core';
import { IconRefresh, IconSend } from '@tabler/icons-react';
import type { ClipboardEvent } from 'react';
import { keysOf } from '../../navigation/command.ts';
import { problemsOf, withTarget, savedRequestOf } from '../../composing/draft.ts';
import { chooseClient, paste, send } from './request-actions.ts';
import { changeRequests, editDraft, requests, useRequests } from './requests-store.ts';
import { ActionButton } from '../../ui/buttons.tsx';
import { page, usePage } from '../../connection/state.ts';
import { save } from '../../saved/saved.ts';
import { NameForm } from '../../saved/SavedList.tsx';
import { titleOf } from './templates.ts';
import {
  credentialsFor,
  type Placement,
  placementOf,
  hasClientAuthentication,
  wantedBy,
  withPlacement,
} from '../../composing/credential-places.ts';
import { fillIn } from './fill.ts';
import { clientById } from '../../sending/chosen-party.ts';
import { useCode } from '../../sending/code-life.ts';
import { countdown, useSandboxNow } from '../../connection/clock.ts';
import type { Credential } from '../../../control/schemas/credentials.ts';
import { valueIn } from '../../composing/field-rows.ts';
import { Hint } from '../../ui/panel.tsx';
import { clientChoices } from '../../ui/short-forms.ts';

const METHODS = ['GET', 'POST', 'PUT', 'PATCH', 'DELETE', 'HEAD', 'OPTIONS'];

/** Imports a curl command that is pasted into the path field. */
function importCommand(event: ClipboardEvent): void {
  const text = event.clipboardData.getData('text');
  if (!/^\s*(?:\$\s*)?curl(?:\.exe)?\s/.test(text)) return;
  event.preventDefault();
  try {
    paste(text);
  } catch {
    // The dialog shows the problem.
    changeRequests({ pasting: true, command: text });
  }
}

export function TargetBar() {
  const draft = useRequests((state) => state.draft);
  const busy = useRequests((state) => state.busy !== null);
  const problems = problemsOf(draft);
  return (
    <Group gap="var(--s1h)" wrap="nowrap" align="flex-start" p="var(--s3) var(--s4) 0">
      <Autocomplete
        w={104}
        flex="none"
        aria-label="Method"
        data={METHODS}
        // Offers all methods, whatever the field contains.
        filter={({ options }) => options}
        value={draft.method}
        error={problems['method']}
        classNames={{ input: 'mono' }}
        onChange={(method) => editDraft((former) => ({ ...former, method: method.toUpperCase() }))}
      />
      <TextInput
        flex={1}
        miw={0}
        aria-label="Path and query"
        value={draft.target}
        error={problems['path']}
        spellCheck={false}
        autoComplete="off"
        classNames={{ input: 'mono' }}
        onPaste={importCommand}
        onChange={({ currentTarget: { value } }) =>
          editDraft((former) => withTarget(former, value))
        }
      />
      <Tooltip label={`Send (${keysOf('mod+Enter')})`}>
        <ActionButton
          size="sm"
          variant="filled"
          flex="none"
          leftSection={<IconSend />}
          aria-keyshortcuts="Control+Enter Meta+Enter"
          onClick={() => void send()}
          busy={busy}
          needs="connection"
        >
          Send
        </ActionButton>
      </Tooltip>
      <SaveRequest />
    </Group>
  );
}

const setSaving = (saving: boolean) => changeRequests({ saving });

const saveAs = (name: string, replace: boolean) => {
  const { clients } = page.getState();
  const { draft } = requests.getState();
  return save(savedRequestOf(name, draft, clients, new Date().toISOString()), replace);
};

const done = (saved_as: string) => changeRequests({ saved_as, typed: false, saving: false });

function initialName(): string {
  const { saved_as, draft } = requests.getState();
  return saved_as ?? titleOf(draft);
}

export function SaveRequest() {
  const opened = useRequests((state) => state.saving);
  return (
    <Popover
      opened={opened}
      onChange={setSaving}
      position="bottom-end"
      width="20rem"
      trapFocus
      returnFocus
    >
      <Popover.Target>
        <Button size="sm" flex="none" onClick={() => setSaving(!opened)}>
          Save
        </Button>
      </Popover.Target>
      <Popover.Dropdown>
        <NameForm
          kind="request"
          label="Save this request as"
          placeholder="Refresh, expired token"
          description="Credentials are omitted, and filled in again when you open it."
          initial={initialName()}
          save={saveAs}
          onSaved={done}
        />
      </Popover.Dropdown>
    </Popover>
  );
}

const PLACES = [
  { value: 'body', label: 'Body' },
  { value: 'basic', label: 'Basic' },
  { value: 'none', label: 'None' },
] as const;

const place = (placement: Placement) =>
  editDraft((draft) =>
    withPlacement(draft, placement, credentialsFor(clientById(draft.client_id))),
  );

function PlacementSwitch() {
  const placement = useRequests((state) => placementOf(state.draft));
  return (
    <div>
      <Text
        span
        display="block"
        mb="var(--s1)"
        size="xs"
        fw="var(--w-medium)"
        id="requests-placement"
      >
        Client authentication
      </Text>
      <SegmentedControl
        aria-labelledby="requests-placement"
        value={placement === 'both' ? '' : placement}
        onChange={(value) => place(value as Placement)}
        data={[...PLACES]}
      />
    </div>
  );
}

/** Which client's credentials the request carries and where, and a button that gets new ones. */
export function ClientBar() {
  const clients = usePage((state) => state.clients);
  const draft = useRequests((state) => state.draft);
  const filling = useRequests((state) => state.filling);
  const { client_id } = draft;
  const isDeleted = client_id !== null && clients.every((client) => client.client_id !== client_id);
  return (
    <Group align="flex-end" gap="var(--s2) var(--s3)" p="var(--s2h) var(--s4) var(--s3)">
      <Select
        flex="1 1 150px"
        miw={0}
        maw="var(--field)"
        label="Client"
        placeholder="Not a registered client"
        searchable
        nothingFoundMessage="No matching clients"
        value={client_id}
        onChange={(chosen) => {
          if (chosen !== null) void chooseClient(chosen);
        }}
        data={clientChoices(clients)}
      />
      {hasClientAuthentication(draft) && <PlacementSwitch />}
      {wantedBy(draft).size > 0 && !isDeleted && (
        <Group flex="1 0 100%" gap="var(--s1) var(--s3)">
          <ActionButton
            leftSection={<IconRefresh />}
            loading={filling}
            onClick={() => void fillIn()}
            needs="connection"
          >
            Get new credentials
          </ActionButton>
          <CodeLife />
        </Group>
      )}
    </Group>
  );
}

const ENDED: Partial<Record<Credential['state'], string>> = {
  redeemed: 'The code was redeemed, and a code works only once. Get new credentials.',
  revoked: 'The code was revoked. Get new credentials.',
  expired: 'The code has expired. Get new credentials.',
};

/** The remaining lifetime of the code in the body, or a note that sending the request issues one. */
export function CodeLife() {
  const code = useCode(useRequests((state) => valueIn(state.draft.body.rows, 'code')));
  const awaited = useRequests(({ awaits_issued }) => awaits_issued);
  const now = useSandboxNow();
  if (awaited) {
    return <Hint>The code is issued when you send this request.</Hint>;
  }
  if (code === undefined) return null;
  const seconds = (Date.parse(code.expires_at) - now) / 1000;
  const ended = ENDED[code.state === 'issued' && seconds <= 0 ? 'expired' : code.state];
  if (ended === undefined) return <Hint>The code expires in {countdown(seconds)}.</Hint>;
  return (
    <Text size="xs" c="var(--warn)">
      {ended}
    </Text>
  );
}
