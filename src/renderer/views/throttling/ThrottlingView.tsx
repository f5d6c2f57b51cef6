import { Button, Tabs } from '@mantine/core';
import { useState } from 'react';
import type { Counter } from '../../../control/schemas.ts';
import { attempt, releaseAll } from '../../actions/sandbox.ts';
import { control } from '../../connection/control.ts';
import { navigate, type ViewProps } from '../../navigation/route.ts';
import { page, usePage } from '../../connection/state.ts';
import { filtered } from '../../ui/grid/arrange.ts';
import { FilterField, NoMatch } from '../../ui/grid/FilterField.tsx';
import { notify } from '../../ui/notify.tsx';
import { AdvisoryPanel } from './advisories/AdvisoryPanel.tsx';
import { useAdvisories } from './advisories/use-advisories.ts';
import { RatePanel } from './chart/RatePanel.tsx';
import { counterText } from './counters.ts';
import { CounterTable } from './CounterTable.tsx';
import { HammerPanel } from './hammer/HammerPanel.tsx';
import { OwnSwitch } from './OwnSwitch.tsx';
import { NoCounters } from './NoCounters.tsx';
import { ThrottleSettings } from './ThrottleSettings.tsx';
import classes from './Throttling.module.css';
import { useNeed } from '../../ui/use-need.ts';

const ADVISORIES = 'advisories';

const release = ({ id, credential }: Counter) =>
  attempt('The counter was not released.', async () => {
    await control.throttle.release({ id });
    page.setState(({ counters }) => ({
      counters: counters.filter((counter) => counter.id !== id),
    }));
    notify(`${credential} is counted from zero again`);
  });

interface TallyProps {
  readonly of: number;
}

function Tally({ of }: TallyProps) {
  return of === 0 ? null : <span className={classes.tally}>{of.toLocaleString('en')}</span>;
}

interface CounterActionsProps {
  readonly text: string;
  readonly onText: (text: string) => void;
}

function CounterActions({ text, onText }: CounterActionsProps) {
  const needs = useNeed('connection');
  return (
    <div className={classes.actions}>
      <FilterField what="counters" text={text} onText={onText} />
      <Button onClick={() => void releaseAll()} {...needs}>
        Release all…
      </Button>
    </div>
  );
}

interface CountersProps {
  readonly text: string;
  readonly mode: 'off' | 'observe' | 'enforce';
}

function Counters({ text, mode }: CountersProps) {
  const counters = usePage((state) => state.counters);
  if (counters.length === 0) return <NoCounters off={mode === 'off'} />;
  const shown = filtered(counters, text, counterText);
  if (shown.length === 0) return <NoMatch what="counters" text={text} />;
  return (
    <CounterTable
      counters={shown}
      enforced={mode === 'enforce'}
      onRelease={(counter) => void release(counter)}
    />
  );
}

/** The limit, its counters, the rate of requests and the advisories. */
export function ThrottlingView({ item }: ViewProps) {
  const count = usePage((state) => state.counters.length);
  const throttle = usePage((state) => state.settings?.throttle);
  const advisories = useAdvisories();
  const [text, setText] = useState('');
  if (throttle === undefined) return null;
  const tab = item === ADVISORIES ? ADVISORIES : 'counters';
  return (
    <div className={classes.view}>
      <ThrottleSettings throttle={throttle} />
      <div className={classes.live}>
        <RatePanel />
        <HammerPanel throttle={throttle} />
      </div>
      <Tabs
        value={tab}
        onChange={(name) => void navigate('throttling', name === ADVISORIES ? name : null)}
        keepMounted={false}
        className={classes.tabs}
      >
        <div className={classes.head}>
          <Tabs.List aria-label="Counters and advisories">
            <Tabs.Tab value="counters">
              Counters
              <Tally of={count} />
            </Tabs.Tab>
            <Tabs.Tab value={ADVISORIES}>
              Advisories
              <Tally of={advisories.known?.clients.length ?? 0} />
            </Tabs.Tab>
          </Tabs.List>
          {tab === 'counters' && count > 0 && <CounterActions text={text} onText={setText} />}
          {tab === ADVISORIES && (
            <div className={classes.actions}>
              <OwnSwitch />
            </div>
          )}
        </div>
        <Tabs.Panel value="counters" className={classes.panel}>
          <Counters text={text} mode={throttle.mode} />
        </Tabs.Panel>
        <Tabs.Panel value={ADVISORIES} className={classes.panel}>
          <AdvisoryPanel advisories={advisories} />
        </Tabs.Panel>
      </Tabs>
    </div>
  );
}
