import {
  IconArrowsExchange,
  IconGauge,
  IconLayoutSidebarLeftCollapse,
  IconLayoutSidebarLeftExpand,
  IconAppWindow,
  IconKey,
  IconSettings,
  IconSitemap,
  IconUser,
} from '@tabler/icons-react';
import { VIEW_NAMES } from '../../commands.ts';
import { useRoute, type View } from '../../route.ts';
import { usePage } from '../../state.ts';
import classes from './Rail.module.css';
import { RailLink } from './RailLink.tsx';

const ICONS: Record<View, typeof IconGauge> = {
  flow: IconSitemap,
  clients: IconAppWindow,
  users: IconUser,
  tokens: IconKey,
  traffic: IconArrowsExchange,
  throttling: IconGauge,
  settings: IconSettings,
};

interface RailProps {
  readonly narrow: boolean;
  readonly onToggle: () => void;
}

export function Rail({ narrow, onToggle }: RailProps) {
  const { view } = useRoute();
  const clients = usePage((state) => state.clients.length);
  const users = usePage((state) => state.users.length);
  const live = usePage((state) => state.totals?.live_credentials ?? 0);
  const exchanges = usePage((state) => state.totals?.exchanges ?? 0);
  const blocked = usePage((state) => state.totals?.blocked_counters ?? 0);
  const link = (name: View, count = 0, hot?: string) => (
    <RailLink
      view={name}
      label={VIEW_NAMES[name]}
      icon={ICONS[name]}
      active={view === name}
      narrow={narrow}
      count={count}
      hot={hot}
    />
  );
  const Toggle = narrow ? IconLayoutSidebarLeftExpand : IconLayoutSidebarLeftCollapse;
  const toggleName = narrow ? 'Expand the rail' : 'Collapse the rail';
  return (
    <nav className={classes.rail} aria-label="Views">
      {link('flow')}
      {link('clients', clients)}
      {link('users', users)}
      {link('tokens', live)}
      {/* Beside the icon alone there is no room for thousands. */}
      {link('traffic', narrow ? 0 : exchanges)}
      {link('throttling', blocked, 'blocked')}
      <hr className={classes.rule} />
      {link('settings')}
      <button type="button" className={classes.toggle} onClick={onToggle} aria-label={toggleName}>
        <Toggle size="1.23em" stroke={1.6} aria-hidden="true" />
        {!narrow && <span>Collapse</span>}
      </button>
    </nav>
  );
}
