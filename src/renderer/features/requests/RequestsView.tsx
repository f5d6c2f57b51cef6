import { SegmentedControl } from '@mantine/core';
import { useElementSize, useHotkeys } from '@mantine/hooks';
import { useEffect } from 'react';
import { AnswerPane } from './answer/AnswerPane.tsx';
import { Composer } from './composer/Composer.tsx';
import { PasteDialog } from './composer/PasteDialog.tsx';
import { startOnce } from './request-actions.ts';
import classes from './Requests.module.css';
import type { Pane } from './requests-state.ts';
import { changeRequests, useRequests } from './requests-store.ts';
import { send } from './send.ts';
import { StartPane } from './start/StartPane.tsx';

const PANES = [
  { value: 'start', label: 'Start from' },
  { value: 'request', label: 'Request' },
  { value: 'answer', label: 'Answer' },
] as const;

/** Narrower than this, even the list of what to start from takes a turn. */
const ROOM_FOR_START = 600;

const show = (pane: Pane) => changeRequests((state) => ({ ...state, pane }));

/**
 * Any request, put together by hand: where to start from, the request itself, and what came of it. Where
 * three columns do not fit, they share one.
 */
export function RequestsView() {
  const { ref, width } = useElementSize();
  const wanted = useRequests((state) => state.pane);
  const stacked = width > 0 && width <= ROOM_FOR_START;
  const panes = stacked ? PANES : PANES.slice(1);
  const pane = wanted === 'start' && !stacked ? 'request' : wanted;
  // In fields too: that is where one has just typed.
  useHotkeys([['mod+Enter', () => void send()]], []);
  useEffect(() => void startOnce(), []);
  return (
    <div ref={ref} className={classes.view}>
      <div className={classes.columns} data-pane={pane}>
        <section className={classes.start} aria-label="Start from">
          <StartPane />
        </section>
        <div className={classes.switch}>
          <SegmentedControl
            fullWidth
            aria-label="Show"
            value={pane}
            onChange={show}
            data={[...panes]}
          />
        </div>
        <section className={classes.request} aria-label="Request">
          <Composer />
        </section>
        <section className={classes.answer} aria-label="Exchange">
          <AnswerPane />
        </section>
      </div>
      <PasteDialog />
    </div>
  );
}
