import { IconLayoutSidebarLeftCollapse, IconLayoutSidebarLeftExpand } from '@tabler/icons-react';
import { toggleRail } from '../ui/preferences.ts';
import { useRoute, type View } from '../navigation/route.ts';
import { usePage } from '../connection/state.ts';
import { VIEW_ENTRIES } from './views.ts';
import { isArmed } from '../views/faults/rule-words.ts';
import classes from './Rail.module.css';
import { RailLink } from './RailLink.tsx';

interface RailProps {
  readonly narrow: boolean;
}

export function Rail({ narrow }: RailProps) {
  const { view } = useRoute();
  const clients = usePage((state) => state.clients.length);
  const users = usePage((state) => state.users.length);
  const live = usePage((state) => state.totals?.live_credentials ?? 0);
  const exchanges = usePage((state) => state.totals?.exchanges ?? 0);
  const armed = usePage((state) => state.faults.filter(isArmed).length);
  const blocked = usePage((state) => state.totals?.blocked_counters ?? 0);
  const link = (name: View, count = 0, hot?: string) => (
    <RailLink
      view={name}
      label={VIEW_ENTRIES[name].title}
      icon={VIEW_ENTRIES[name].icon}
      active={view === name}
      narrow={narrow}
      count={count}
      hot={hot}
    />
  );
  const Toggle = narrow ? IconLayoutSidebarLeftExpand : IconLayoutSidebarLeftCollapse;
  const toggleName = narrow ? 'Expand the sidebar' : 'Collapse the sidebar';
  return (
    <nav className={classes.rail} aria-label="Views">
      {link('flow')}
      {link('clients', clients)}
      {link('users', users)}
      {link('requests')}
      {link('tokens', live)}
      {link('devices')}
      {/* Beside the icon alone there is no room for thousands. */}
      {link('traffic', narrow ? 0 : exchanges)}
      {link('throttling', blocked, 'blocked')}
      {link('faults', armed, 'armed')}
      <hr className={classes.rule} />
      {link('settings')}
      {link('help')}
      <button type="button" className={classes.toggle} onClick={toggleRail} aria-label={toggleName}>
        <Toggle size="1.23em" stroke={1.6} aria-hidden="true" />
        {!narrow && <span>Collapse</span>}
      </button>
    </nav>
  );
}
