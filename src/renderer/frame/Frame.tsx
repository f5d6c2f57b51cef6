// The frame around the views: bars, navigation and warnings. Palette, dialogs and notifications are loaded with
// Commands, after the first view.

import { Button, Group, Stack, Text } from '@mantine/core';
import { IconAlertTriangle, type Icon, IconPlugConnectedX } from '@tabler/icons-react';
import { Component, type ReactNode, useEffect, useState, useRef } from 'react';
import { useDocumentTitle, useHotkeys, useMediaQuery, useWindowEvent } from '@mantine/hooks';
import type { ServerState } from '../../control/schemas.ts';
import { EmptyState, Loading } from '../ui/panel.tsx';
import { timeOfDay } from '../connection/clock.ts';
import { useReach } from '../connection/reach.ts';
import { usePage } from '../connection/state.ts';
import { isRailNarrow, TIGHT, usePreference } from '../ui/preferences.ts';
import { atRest, lazyPart } from '../ui/lazy-part.tsx';
import { useRoute } from '../navigation/route.ts';
import { prefetchView, prefetchViews, VIEW_HEADS, VIEW_PARTS } from './view-parts.tsx';
import { askForToken, openPalette } from './dialogs.ts';
import { Rail } from './Rail.tsx';
import { TopBar } from './TopBar.tsx';
import classes from './Frame.module.css';
import { reconnect } from '../connection/control.ts';
import { notify } from '../ui/notify.tsx';
import { openFile } from '../ui/save-file.ts';
import { startServer } from '../actions/sandbox.ts';
import { sentence } from '../ui/problems.ts';
import { bytesInWords } from '../ui/short-forms.ts';
import { pluralize } from '../../words.ts';
import panel from '../ui/panel.module.css';

interface BannerProps {
  readonly tone: 'warn' | 'bad';
  readonly icon: Icon;
  readonly title: string;
  readonly children: ReactNode;
  readonly action?: ReactNode;
}

function Banner({ tone, icon: Shape, title, children, action }: BannerProps) {
  return (
    <Group
      className={panel.bar}
      data-tone={tone}
      gap={10}
      wrap="nowrap"
      px="md"
      py="xs"
      bg="var(--tone-soft)"
    >
      <Shape color="var(--tone)" size="1.23em" aria-hidden="true" />
      <Text flex={1} miw={0} c="dimmed" style={{ overflowWrap: 'anywhere' }}>
        <b>{title}</b> {children}
      </Text>
      {action !== undefined && (
        <Group gap="xs" wrap="nowrap">
          {action}
        </Group>
      )}
    </Group>
  );
}

/** Shown while the feed is lost; notifies when it is restored. */
function LostFeed() {
  const connection = usePage((state) => state.connection);
  const loaded = usePage((state) => state.loaded);
  const since = usePage((state) => state.lost_ms);
  const live = useReach((reach) => reach.live);
  const wasLost = useRef(false);
  useEffect(() => {
    if (live && wasLost.current) notify('Reconnected; everything was reloaded');
    wasLost.current = !live && (since !== null || wasLost.current);
  }, [live, since]);
  if (since === null) return null;
  const rejected = connection === 'rejected';
  const next = rejected ? 'Enter the new token to reconnect' : 'It reconnects automatically';
  return (
    <Banner
      tone="warn"
      icon={IconPlugConnectedX}
      title={rejected ? 'Control token rejected' : 'Connection lost'}
      action={
        rejected ? (
          <Button onClick={() => askForToken(true)}>Enter the new token</Button>
        ) : (
          <Button onClick={reconnect}>Try now</Button>
        )
      }
    >
      {loaded
        ? `This page may be out of date since ${timeOfDay(since)}. ${next}; what you typed is kept.`
        : 'Grantbench does not respond. This page retries automatically.'}
    </Banner>
  );
}

/** Warnings that concern every view: the connection is lost, the server failed, or something is not saved. */
function Banners() {
  const live = useReach((reach) => reach.live);
  const known = usePage((state) => state.server);
  const server = live ? known : null;
  const problem = server?.state === 'failed' ? server.problem : null;
  const unsaved =
    server?.workspace.state === 'failed' || server?.workspace.state === 'conflict'
      ? server.workspace
      : null;
  const unkept = server?.keep_problem ?? null;
  const free = problem?.free_port ?? null;
  return (
    <div role="status">
      <LostFeed />
      {problem !== null && (
        <Banner
          tone="bad"
          icon={IconAlertTriangle}
          title="The server is not running"
          action={
            <>
              <Button onClick={() => void startServer()}>Try again</Button>
              {free !== null && (
                <Button variant="filled" onClick={() => void startServer(free)}>
                  Start on port {free}
                </Button>
              )}
            </>
          }
        >
          {sentence(problem.message)}
        </Banner>
      )}
      {unsaved !== null && (
        <Banner tone="bad" icon={IconAlertTriangle} title="The workspace is not saved">
          {unsaved.message ??
            'The workspace file was changed by another program. Nothing was overwritten.'}
        </Banner>
      )}
      {unkept !== null && (
        <Banner
          tone="bad"
          icon={IconAlertTriangle}
          title="Signing keys and revocations are not saved"
        >
          {unkept}
        </Banner>
      )}
    </div>
  );
}

interface ViewFaultProps {
  readonly name: string;
  readonly children: ReactNode;
}

interface Failure {
  readonly fault: Error | null;
}

/** Contains the error of a view: the frame stays and shows what happened. */
class ViewFault extends Component<ViewFaultProps, Failure> {
  override state: Failure = { fault: null };

  static getDerivedStateFromError(fault: Error): Failure {
    return { fault };
  }

  override render(): ReactNode {
    const { name, children } = this.props;
    const { fault } = this.state;
    if (fault === null) return children;
    return (
      <EmptyState
        icon={IconAlertTriangle}
        title={`${name} could not be shown`}
        text={`${fault.message}. The server and the other views still work. Reload the page to show this view again.`}
        action={
          <Button variant="filled" onClick={() => location.reload()}>
            Reload page
          </Button>
        }
      />
    );
  }
}

async function take(file: File): Promise<void> {
  const { openIfComparison } = await import('../views/flow/flow-actions.ts');
  if (await openIfComparison(file)) return;
  const { previewImport } = await import('../actions/workspace.ts');
  await previewImport(file);
}

const holdsFiles = (event: DragEvent) => event.dataTransfer?.types.includes('Files') === true;

/** Opens a workspace or a comparison dropped anywhere on the page, and shows a hint while one is held over it. */
function DropTarget() {
  const [over, setOver] = useState(false);
  useWindowEvent('dragover', (event) => {
    if (!holdsFiles(event)) return;
    event.preventDefault();
    setOver(true);
  });
  useWindowEvent('dragleave', (event) => {
    if (event.relatedTarget === null) setOver(false);
  });
  useWindowEvent('drop', (event) => {
    setOver(false);
    if (!holdsFiles(event) || event.defaultPrevented) return;
    event.preventDefault();
    const file = event.dataTransfer?.files[0];
    if (file !== undefined) void openFile(file, take);
  });
  return over ? <p className={classes.hint}>Drop a workspace or a comparison to open it</p> : null;
}

const SAVED: Record<ServerState['workspace']['state'], string> = {
  saved: 'saved',
  saving: 'saving…',
  memory: 'in memory only',
  conflict: 'not saved: the file was changed elsewhere',
  failed: 'not saved',
};

const LINE = { px: 'md', wrap: 'nowrap', fz: 'var(--fs-xs)', c: 'dimmed' } as const;

function StatusLine() {
  const server = usePage((state) => state.server);
  const totals = usePage((state) => state.totals);
  const live = useReach((reach) => reach.live);
  const since = usePage((state) => state.lost_ms);
  if (server === null)
    return (
      <Group component="footer" className={classes.line} {...LINE}>
        Grantbench
      </Group>
    );
  const { workspace } = server;
  const trouble = live && (workspace.state === 'conflict' || workspace.state === 'failed');
  return (
    <Group component="footer" className={classes.line} {...LINE}>
      <Text span inherit truncate {...(trouble ? { c: 'var(--bad)' } : {})}>
        Workspace <b>{workspace.file ?? workspace.name}</b> ·{' '}
        {live
          ? SAVED[workspace.state]
          : since === null
            ? 'connecting…'
            : `as of ${timeOfDay(since)}`}
      </Text>
      {totals !== null && (
        <>
          <span>{pluralize(totals.live_credentials, 'live credential')}</span>
          <span>
            {pluralize(totals.exchanges, 'exchange')}, {bytesInWords(totals.exchange_bytes)}
          </span>
        </>
      )}
      <Text span inherit ml="auto">
        Grantbench {server.version}
      </Text>
    </Group>
  );
}

/** Contains every command, and so parts of every view; it is loaded once the first view is drawn. */
const Commands = lazyPart(async () => (await import('./Commands.tsx')).Commands);

function Connecting() {
  const connecting = usePage((state) => state.connection !== 'rejected');
  if (!connecting) return null;
  return <Loading>Connecting to Grantbench…</Loading>;
}

function View() {
  const { view, item } = useRoute();
  const Shown = VIEW_PARTS[view];
  return (
    <ViewFault key={view} name={VIEW_HEADS[view].title}>
      <Shown item={item} />
    </ViewFault>
  );
}

/** Whether the rail shows only icons: as chosen, or by default in a narrow window. */
function useRail(): boolean {
  const { rail } = usePreference('appearance');
  const tight = useMediaQuery(TIGHT, matchMedia(TIGHT).matches);
  return isRailNarrow(rail, tight);
}

export function Frame() {
  const { view } = useRoute();
  const { title } = VIEW_HEADS[view];
  const loaded = usePage((state) => state.loaded);
  const workspace = usePage((state) => state.server?.workspace.name);
  const narrow = useRail();
  useHotkeys([['mod+K', openPalette]], []);
  const names = [title, workspace, 'Grantbench'];
  useDocumentTitle(names.filter((name) => name !== undefined).join(' – '));
  const [hasView, setHasView] = useState(false);
  useEffect(() => {
    void prefetchView(view).then(() => setHasView(true));
  }, [view]);
  const cut = usePage(({ connection }) => connection === 'lost' || connection === 'rejected');
  const drawn = hasView && (loaded || cut);
  const [hasCommands, setHasCommands] = useState(false);
  useEffect(() => {
    if (drawn) void atRest().then(() => setHasCommands(true));
  }, [drawn]);
  useEffect(() => {
    if (loaded) void prefetchViews();
  }, [loaded]);
  return (
    <div className={classes.frame} data-rail={narrow ? 'narrow' : 'wide'}>
      <TopBar />
      <Rail narrow={narrow} />
      <Stack component="main" gap={0} miw={0} mih={0}>
        <h1 className="visually-hidden">{title}</h1>
        <Banners />
        <div className={classes.view}>{loaded ? <View /> : <Connecting />}</div>
      </Stack>
      <StatusLine />
      <DropTarget />
      {hasCommands && <Commands />}
    </div>
  );
}
