import { Button, TextInput } from '@mantine/core';
import { IconSearch } from '@tabler/icons-react';
import { useState } from 'react';
import type { Counter } from '../../../control/schemas.ts';
import { attempt, releaseAll } from '../../actions.ts';
import { control } from '../../control.ts';
import { page, usePage } from '../../state.ts';
import { tell } from '../../ui/notify.tsx';
import { PanelHead } from '../../ui/PanelHead.tsx';
import { matching } from './counters.ts';
import { CounterTable } from './CounterTable.tsx';
import { NoCounters } from './NoCounters.tsx';
import { ThrottleSettings } from './ThrottleSettings.tsx';
import classes from './Throttling.module.css';

const release = ({ id, credential }: Counter) =>
  attempt('The counter was not released.', async () => {
    await control.throttle.release({ id });
    page.setState(({ counters }) => ({
      counters: counters.filter((counter) => counter.id !== id),
    }));
    tell(`${credential} counts from zero again`);
  });

function countedWords(counters: readonly Counter[]): string {
  const blocked = counters.filter((counter) => counter.blocked > 0).length;
  const all = `${counters.length.toLocaleString('en')} counter${counters.length === 1 ? '' : 's'}`;
  return blocked === 0 ? all : `${all}, ${blocked.toLocaleString('en')} with blocked requests`;
}

export function ThrottlingView() {
  const counters = usePage((state) => state.counters);
  const throttle = usePage((state) => state.settings?.throttle);
  const [text, setText] = useState('');
  if (throttle === undefined) return null;
  const shown = matching(counters, text);
  return (
    <div className={classes.view}>
      <PanelHead title="Counters" note={counters.length > 0 ? countedWords(counters) : undefined}>
        {counters.length > 0 && (
          <>
            <TextInput
              className={classes.filter}
              aria-label="Filter counters"
              placeholder="Filter"
              leftSection={<IconSearch size="1.1em" />}
              value={text}
              onChange={(event) => setText(event.currentTarget.value)}
            />
            <Button onClick={() => void releaseAll()}>Release all</Button>
          </>
        )}
      </PanelHead>
      <ThrottleSettings throttle={throttle} />
      {counters.length === 0 ? (
        <NoCounters off={throttle.mode === 'off'} />
      ) : (
        <CounterTable
          counters={shown}
          enforced={throttle.mode === 'enforce'}
          onRelease={(counter) => void release(counter)}
        />
      )}
      {counters.length > 0 && shown.length === 0 && (
        <p className={classes.none}>No counter matches “{text}”.</p>
      )}
    </div>
  );
}
