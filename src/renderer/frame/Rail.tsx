import { Tooltip, Divider, Flex, Stack, Text } from '@mantine/core';
import {
  type Icon,
  IconLayoutSidebarLeftCollapse,
  IconLayoutSidebarLeftExpand,
} from '@tabler/icons-react';
import { memo } from 'react';
import { linkTo, useRoute, type View, VIEWS } from '../navigation/route.ts';
import { toggleRail } from '../ui/preferences.ts';
import { usePage } from '../connection/state.ts';
import { grouped } from '../../words.ts';
import { isActive } from '../views/faults/rule-words.ts';
import { VIEW_HEADS } from './view-parts.tsx';
import rows from '../ui/item.module.css';
import classes from './Rail.module.css';

interface RailLinkProps {
  readonly view: View;
  readonly label: string;
  readonly icon: Icon;
  readonly active: boolean;
  readonly narrow: boolean;
  readonly count: number;
  /** What a highlighted count means: "throttled". */
  readonly hot: string | undefined;
}

const WIDE = {
  pos: 'relative',
  h: 'var(--input)',
  py: 0,
  gap: 'var(--s2h)',
  align: 'center',
} as const;
/** A count is below the icon, since there is no room beside it. */
const NARROW = {
  ...WIDE,
  h: 'var(--row)',
  p: 0,
  gap: 0,
  direction: 'column',
  justify: 'center',
} as const;

/** Memoised, so that a change of one count does not render the other links. */
const RailLink = memo(function RailLink(props: RailLinkProps) {
  const { view, label, icon: Shape, active, narrow, count, hot } = props;
  const counted = count === 0 ? '' : `${grouped(count)}${hot === undefined ? '' : ` ${hot}`}`;
  const link = (
    <Flex
      component="a"
      className={`${rows.item} ${classes.link}`}
      {...linkTo(view)}
      {...(narrow ? NARROW : WIDE)}
      aria-current={active ? 'page' : undefined}
      aria-label={narrow ? label : undefined}
    >
      <Shape size="1.23em" stroke={1.6} aria-hidden="true" />
      {!narrow && <span>{label}</span>}
      {count > 0 && (
        <Text
          span
          ff="monospace"
          fz="var(--fs-xs)"
          c={hot === undefined ? 'var(--faint)' : 'var(--warn)'}
          {...(narrow ? { lh: 1 } : { ml: 'auto' })}
        >
          {narrow && count >= 1000
            ? count.toLocaleString('en', { notation: 'compact' })
            : grouped(count)}
          {hot !== undefined && <span className="visually-hidden"> {hot}</span>}
        </Text>
      )}
    </Flex>
  );
  if (!narrow) return link;
  return (
    <Tooltip
      label={counted === '' ? label : `${label}, ${counted}`}
      position="right"
      // The header of the open view shows its name, and the tooltip would cover it.
      disabled={active}
    >
      {link}
    </Tooltip>
  );
});

/** What a count means where it wants attention. */
const HOT: Partial<Record<View, string>> = { throttling: 'throttled', faults: 'active' };

const LAST_OF_SANDBOX = VIEWS.indexOf('settings');

export function Rail({ narrow }: { readonly narrow: boolean }) {
  const { view } = useRoute();
  const clients = usePage((state) => state.clients.length);
  const users = usePage((state) => state.users.length);
  const live = usePage((state) => state.totals?.live_credentials ?? 0);
  const exchanges = usePage((state) => state.totals?.exchanges ?? 0);
  const faults = usePage((state) => state.faults.filter(isActive).length);
  const held = usePage((state) => state.held.length);
  const blocked = usePage((state) => state.totals?.blocked_counters ?? 0);
  const counts: Partial<Record<View, number>> = {
    clients,
    users,
    tokens: live,
    traffic: held > 0 ? held : exchanges,
    throttling: blocked,
    faults,
  };
  const link = (name: View) => (
    <RailLink
      key={name}
      view={name}
      label={VIEW_HEADS[name].title}
      icon={VIEW_HEADS[name].icon}
      active={view === name}
      narrow={narrow}
      count={counts[name] ?? 0}
      hot={name === 'traffic' && held > 0 ? 'held' : HOT[name]}
    />
  );
  const Toggle = narrow ? IconLayoutSidebarLeftExpand : IconLayoutSidebarLeftCollapse;
  const toggleName = narrow ? 'Expand the sidebar' : 'Collapse the sidebar';
  return (
    <Stack component="nav" className={classes.rail} gap={2} px="xs" py="sm" aria-label="Views">
      {VIEWS.slice(0, LAST_OF_SANDBOX).map(link)}
      <Divider w="calc(100% - var(--s3))" mx="auto" my="xs" color="var(--line)" />
      {VIEWS.slice(LAST_OF_SANDBOX).map(link)}
      <Flex
        component="button"
        type="button"
        className={rows.item}
        {...WIDE}
        mt="auto"
        onClick={toggleRail}
        aria-label={toggleName}
      >
        <Toggle size="1.23em" stroke={1.6} aria-hidden="true" />
        {!narrow && <span>Collapse</span>}
      </Flex>
    </Stack>
  );
}
