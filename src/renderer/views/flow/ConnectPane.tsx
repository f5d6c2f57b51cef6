import { Button, Group, Select, Stack, Text, TextInput } from '@mantine/core';
import {
  IconArrowsLeftRight,
  IconChevronRight,
  IconDownload,
  IconPlayerPlay,
  IconPlugConnected,
  IconPlus,
  IconShieldQuestion,
} from '@tabler/icons-react';
import { addRedirectUri, startServer } from '../../actions/sandbox.ts';
import { useReach } from '../../connection/reach.ts';
import { usePage } from '../../connection/state.ts';
import { runCommand } from '../../navigation/command.ts';
import { PanelHead, Hint } from '../../ui/panel.tsx';
import { clientChoices } from '../../ui/short-forms.ts';
import { pluralize } from '../../../words.ts';
import { useAppTraffic } from '../../connect-app/app-traffic.ts';
import { statusWords } from '../../ui/status.tsx';
import type { Client, ServerState } from '../../../control/schemas.ts';
import { inputOf, redirectUriOf } from '../../connect-app/library-input.ts';
import { useLibrary, LibrarySettings } from '../../connect-app/LibrarySettings.tsx';
import { hrefOf, navigate, NEW_ITEM } from '../../navigation/route.ts';
import { partyOf } from '../../sending/chosen-party.ts';
import { ActionButton, CopyButton, Disclose } from '../../ui/buttons.tsx';
import { ViewLink } from '../../ui/links.tsx';
import { problemOfUri } from './callback.ts';
import { useFlow } from './flow-store.ts';
import { isOwnRedirectUri } from '../../../control/names.ts';
import type { Ref } from 'react';
import { AppRequests } from './AppRequests.tsx';
import { createStore } from 'zustand/vanilla';
import { useStore } from 'zustand';
import rows from '../../ui/item.module.css';
import classes from './Flow.module.css';

const LEAD = 'Give your app these settings. Its first request appears here with an explanation.';

const NOTHING_ARRIVES = hrefOf('help', 'guides/connect-your-app.md#if-nothing-arrives');

/** Says whether the app's first request can be received and shown. */
function Waiting() {
  const server = useReach((reach) => reach.server);
  const isHeld = usePage((state) => state.held.length > 0);
  if (server === 'unknown') {
    return <Text c="dimmed">Your app’s requests appear here after reconnecting.</Text>;
  }
  if (isHeld) {
    return (
      <Text c="dimmed">
        A request is held: release it in <ViewLink view="traffic">Traffic</ViewLink>.
      </Text>
    );
  }
  if (server === 'running') {
    return (
      <Group gap="xs" c="dimmed">
        <span className={classes.pulse} aria-hidden="true" />
        Waiting for your app’s first request… <a href={NOTHING_ARRIVES}>Nothing arrives?</a>
      </Group>
    );
  }
  return (
    <Group gap="xs" c="dimmed">
      The server is not running, so your app gets no response.
      <Button leftSection={<IconPlayerPlay />} onClick={() => void startServer()}>
        Start server
      </Button>
    </Group>
  );
}

/** The app under test, shown beside the flow while no message is selected. */
export function ConnectPane({ ref }: { readonly ref: Ref<HTMLDivElement> }) {
  const server = usePage((state) => state.server);
  const traffic = useAppTraffic();
  const live = useReach((reach) => reach.live);
  const connecting = useConnecting();
  if (server === null) return null;
  const open = connecting.open ?? traffic === null;
  return (
    <>
      <PanelHead
        title={traffic === null ? 'Connect your app' : 'Your app'}
        note={traffic === null ? undefined : pluralize(traffic.count, 'request')}
      />
      <Stack
        ref={ref}
        tabIndex={-1}
        gap="sm"
        flex={1}
        mih={0}
        p="md"
        align="stretch"
        className={classes.pane}
      >
        {traffic === null && live && <Hint>{LEAD}</Hint>}
        {traffic !== null && (
          <>
            <AppRequests {...traffic} />
            <Group gap="xs" role="group" aria-label="Since your app connected">
              <Button
                leftSection={<IconArrowsLeftRight />}
                onClick={() => void runCommand('app-sequence')}
              >
                Show as sequence
              </Button>
              <ActionButton
                needs="connection"
                leftSection={<IconDownload />}
                onClick={() => void runCommand('app-report')}
              >
                Report (HTML)
              </ActionButton>
              <Button leftSection={<IconShieldQuestion />} onClick={() => void navigate('check')}>
                Check your app
              </Button>
            </Group>
            <Disclose opened={open} onToggle={() => setConnecting({ open: !open })}>
              Settings for your app
            </Disclose>
          </>
        )}
        {open && <AppSettings server={server} />}
      </Stack>
      <div className={classes.foot} role="status">
        {traffic === null && <Waiting />}
      </div>
    </>
  );
}

/** The button below the steps that leads from a message back to the app under test. */
export function AppLine({ onOpen }: { readonly onOpen: () => void }) {
  const traffic = useAppTraffic();
  const live = useReach((reach) => reach.live);
  return (
    <button type="button" className={`${rows.item} ${classes.app}`} onClick={onOpen}>
      <IconPlugConnected size="1.2em" stroke={1.6} color="var(--muted)" aria-hidden="true" />
      <Stack component="span" gap={0} flex={1} miw={0}>
        {traffic === null ? 'Connect your app' : 'Your app'}
        <Hint span>
          {traffic === null
            ? live
              ? 'no requests yet'
              : 'not connected'
            : `${pluralize(traffic.count, 'request')} · newest: ${statusWords(traffic.newest.status)}`}
        </Hint>
      </Stack>
      <IconChevronRight size="1.1em" color="var(--muted)" aria-hidden="true" />
    </button>
  );
}

function NoClient() {
  return (
    <Stack gap="xs" align="flex-start">
      <p>Your app needs a client_id: register a client first.</p>
      <Button
        variant="filled"
        leftSection={<IconPlus />}
        onClick={() => void navigate('clients', NEW_ITEM)}
      >
        Register client
      </Button>
    </Stack>
  );
}

/** The settings that the app needs: base URL, client, callback, and a snippet for its library. */
function AppSettings({ server }: { readonly server: ServerState }) {
  const clients = usePage((state) => state.clients);
  const users = usePage((state) => state.users);
  const ofFlow = useFlow((state) => state.document.client_id);
  const connecting = useConnecting();
  const library = useLibrary();
  const picked = connecting.client_id ?? ofFlow;
  const { client } = partyOf({ clients, users }, { client_id: picked, sub: null });
  if (client === null) return <NoClient />;
  const callback = connecting.redirect_uri ?? redirectUriOf(client);
  // A snippet contains only a callback that can be registered.
  const redirect_uri =
    problemOfUri(callback, 'callback') === null ? callback : redirectUriOf(client);
  const fixed = library.redirects_to?.(inputOf(client, server, redirect_uri)) ?? null;
  return (
    <>
      <Group gap="xs" wrap="nowrap" className={classes.breaks}>
        <Text span fw="var(--w-medium)" id="connect-base-url">
          Base URL
        </Text>
        <code aria-labelledby="connect-base-url">{server.issuer}</code>
        <CopyButton value={server.issuer} label="Copy base URL" />
      </Group>
      <Select
        label="Client"
        searchable
        value={client.client_id}
        onChange={(client_id) => setConnecting({ client_id, redirect_uri: null })}
        data={clientChoices(clients)}
      />
      <CallbackField client={client} value={callback} fixed={fixed} />
      <LibrarySettings client={client} redirect_uri={redirect_uri} />
    </>
  );
}

/** Offers to register a callback with which requests are rejected. */
function Unregistered({ client, uri }: { readonly client: Client; readonly uri: string }) {
  return (
    <Stack gap="xs" align="flex-start" className={classes.breaks} role="note">
      <Hint>
        <code>{uri}</code> is not registered for <b>{client.client_id}</b>, so requests with it are
        rejected.
      </Hint>
      <ActionButton needs="connection" onClick={() => void addRedirectUri(client, uri)}>
        Add it to the redirect URIs
      </ActionButton>
    </Stack>
  );
}

interface CallbackFieldProps {
  readonly client: Client;
  readonly value: string;
  /** The callback that the chosen library always uses; null when it uses the one entered. */
  readonly fixed: string | null;
}

function CallbackField({ client, value, fixed }: CallbackFieldProps) {
  const { name } = useLibrary();
  const problem = problemOfUri(value, 'callback');
  const used = fixed ?? value;
  return (
    <>
      <TextInput
        label="Callback"
        description={
          fixed === null ? 'The redirect URI of your app.' : `${name} always uses ${fixed}.`
        }
        value={value}
        spellCheck={false}
        error={problem}
        classNames={{ input: 'mono' }}
        onChange={(event) => setConnecting({ redirect_uri: event.currentTarget.value })}
      />
      {problem === null && !isOwnRedirectUri(client, used) && (
        <Unregistered client={client} uri={used} />
      )}
    </>
  );
}

const connecting = createStore(() => ({
  /** null: the client of the flow. */
  client_id: null as string | null,
  /** Where the app receives codes; null: the client's registered redirect URI. */
  redirect_uri: null as string | null,
  /** Whether the settings are shown; null: until the app has sent its first request. */
  open: null as boolean | null,
}));

type Connecting = ReturnType<typeof connecting.getState>;

const setConnecting = (part: Partial<Connecting>): void => connecting.setState(part);
const useConnecting = (): Connecting => useStore(connecting);
