import { Button, Group, Stack } from '@mantine/core';
import { useInterval } from '@mantine/hooks';
import {
  IconChevronDown,
  IconArrowUp,
  IconArrowsExchange,
  IconEraser,
  IconFilterOff,
  IconHandStop,
  IconPlayerPause,
  IconPlayerPlay,
} from '@tabler/icons-react';
import { memo, useEffect, useState } from 'react';
import { pluralize } from '../../../words.ts';
import { useIssuer, usePage } from '../../connection/state.ts';
import { startServer } from '../../actions/sandbox.ts';
import { runCommand } from '../../navigation/command.ts';
import { useReach } from '../../connection/reach.ts';
import { CopyButton } from '../../ui/buttons.tsx';
import { EmptyState, type EmptyStateProps } from '../../ui/panel.tsx';
import { ExportMenu } from './ExportMenu.tsx';
import { showSequence, showCleared, follow } from './traffic-actions.ts';
import {
  changeTraffic,
  following,
  pinnedIn,
  traffic,
  useRows,
  useTraffic,
  withSelection,
} from './traffic-state.ts';
import { NO_FILTER, isFiltered } from './filter.ts';
import { HeldStrip } from './HeldPanel.tsx';
import { FilterBar, ListHead } from './ListHead.tsx';
import { countWords } from './rows.ts';
import { headRowsOf, TrafficTable } from './TrafficTable.tsx';
import panel from '../../ui/panel.module.css';
import table from '../../ui/grid/table.module.css';

const SelectionBar = memo(function SelectionBar() {
  const selected = useTraffic((state) => state.selected);
  const some = selected.size > 1;
  return (
    <Group
      {...(some ? { className: panel.bar, px: 'md', py: 'xs', bg: 'var(--accent-soft)' } : {})}
      gap="xs"
      fz="xs"
    >
      <span role="status">{some && `${pluralize(selected.size, 'exchange')} selected`}</span>
      {some && (
        <>
          <Button onClick={showSequence}>Show as sequence</Button>
          <ExportMenu numbers={[...selected]}>
            <Button rightSection={<IconChevronDown />}>Export selection</Button>
          </ExportMenu>
          <Button
            variant="subtle"
            onClick={() => changeTraffic((state) => withSelection(state, []))}
          >
            Clear selection
          </Button>
        </>
      )}
    </Group>
  );
});

/** The count is announced to screen readers at intervals, not with every batch. */
const ANNOUNCE_EVERY_MS = 5000;

/** New exchanges while the list is paused. */
function FreshChip({ count }: { readonly count: number }) {
  const [announced, setAnnounced] = useState(0);
  useInterval(() => setAnnounced(count), ANNOUNCE_EVERY_MS, { autoInvoke: true });
  return (
    <>
      <span role="status" className="visually-hidden">
        {announced > 0 && count > 0 ? pluralize(announced, 'new exchange') : ''}
      </span>
      {count > 0 && (
        <Button
          className={`${table.newer} figures`}
          variant="filled"
          radius="xl"
          leftSection={<IconArrowUp size={14} aria-hidden="true" />}
          onClick={follow}
        >
          {count.toLocaleString('en')} new
        </Button>
      )}
    </>
  );
}

/** Shown before the first request: what the view is for, and how to fill it. */
function useNothingYet(): EmptyStateProps {
  const issuer = useIssuer();
  const server = useReach((reach) => reach.server);
  const icon = IconArrowsExchange;
  if (server === 'unknown') {
    const text = 'Requests from your app appear here after reconnecting.';
    return { icon, title: 'No requests loaded', text };
  }
  const title = 'No requests yet';
  if (server !== 'running') {
    const text =
      'The server is not running and receives no requests. Start it, and every request your app makes is listed here: what it sent, what it got, and why it was rejected.';
    const action = (
      <Button variant="filled" leftSection={<IconPlayerPlay />} onClick={() => void startServer()}>
        Start server
      </Button>
    );
    return { icon, title, text, action };
  }
  const text = `Point your app at ${issuer}. Every request it makes is listed here: what it sent, what it got, and why it was rejected.`;
  const action = (
    <Group gap="xs">
      <CopyButton value={issuer} label="Copy base URL" text="Copy base URL" />
      <Button variant="filled" onClick={() => void runCommand('run-all')}>
        Run the flow
      </Button>
    </Group>
  );
  return { icon, title, text, action };
}

function useWhyEmpty(): EmptyStateProps {
  const known = usePage((state) => state.exchanges.size > 0);
  const filtered = useTraffic((state) => isFiltered(state.filter));
  const cleared = useTraffic((state) => state.cleared.size > 0);
  const held = usePage((state) => state.held.length);
  const paused = useTraffic((state) => state.paused);
  const nothingYet = useNothingYet();
  if (paused) {
    return {
      icon: IconPlayerPause,
      title: 'The list is paused',
      text: 'New exchanges appear when it follows the newest again.',
      action: <Button onClick={follow}>Follow the newest</Button>,
    };
  }
  if (filtered && known) {
    const reset = () => traffic.setState({ filter: NO_FILTER });
    return {
      icon: IconFilterOff,
      title: 'No matching exchanges',
      text: 'New matching exchanges appear automatically.',
      action: <Button onClick={reset}>Remove the filter</Button>,
    };
  }
  if (held > 0) {
    const text = 'Held exchanges are listed here once they are released, answered or dropped.';
    return { icon: IconHandStop, title: `${pluralize(held, 'exchange')} held`, text };
  }
  if (!cleared) return nothingYet;
  return {
    icon: IconEraser,
    title: 'No requests since you cleared the view',
    text: 'New requests appear here. Earlier ones are still kept.',
    action: <Button onClick={showCleared}>Show cleared exchanges</Button>,
  };
}

function Nothing() {
  const why = useWhyEmpty();
  // A list without rows is not scrolled away from its top.
  useEffect(() => changeTraffic((state) => (state.paused ? state : following(state))), []);
  return <EmptyState {...why} />;
}

export function TrafficList({ open }: { readonly open: number | null }) {
  const history = usePage((state) => state.history);
  const kept = usePage((state) => state.totals?.exchanges ?? 0);
  const pinned = useTraffic((state) => state.pinned.length);
  const { rows, shown, fresh } = useRows();
  const exchanges = usePage((state) => state.exchanges);
  const counted = rows.size + useTraffic((state) => pinnedIn(exchanges, state));
  const listed = rows.size + pinned;
  const whole = history !== null && history.next === null;
  return (
    <Stack component="section" gap={0} h="100%" mih={0} aria-label="Traffic">
      <ListHead note={countWords(counted, exchanges.size, kept)} isEmpty={listed === 0} />
      <HeldStrip />
      <FilterBar />
      <SelectionBar />
      <Stack
        pos="relative"
        flex={1}
        mih={0}
        gap={0}
        style={{ '--heads': `calc(${headRowsOf(pinned)} * var(--row-dense))` }}
      >
        <FreshChip count={fresh} />
        {listed === 0 && whole ? (
          <Nothing />
        ) : (
          <TrafficTable open={open} rows={rows} shown={shown} />
        )}
      </Stack>
    </Stack>
  );
}
