import { SegmentedControl } from '@mantine/core';
import { useElementSize } from '@mantine/hooks';
import type { CSSProperties, ReactNode } from 'react';
import classes from './panes.module.css';

/** Narrower than this, a first column that takes turns does so. */
const ROOM_FOR_FIRST = 600;

export const PLACES = ['first', 'second', 'third'] as const;
export type Place = (typeof PLACES)[number];

interface Pane {
  /** Of the region. */
  readonly name: string;
  /** In the switch, if it says another. */
  readonly short?: string;
  readonly content: ReactNode;
}

interface ThreePanesProps extends Readonly<Record<Place, Pane>> {
  /** How wide the first one is, in CSS. */
  readonly width: string;
  /** Whether the first one takes its turn in a narrow window; or it stands above the others. */
  readonly turns?: boolean;
  /** The one that is shown where they take turns. */
  readonly shown: Place;
  readonly onShow: (place: Place) => void;
}

/** Three columns; where they do not fit they share one, with a switch above it. */
export function ThreePanes({ width, turns = false, shown, onShow, ...panes }: ThreePanesProps) {
  const { ref, width: room } = useElementSize();
  const narrow = turns && room > 0 && room <= ROOM_FOR_FIRST;
  const choice = narrow ? PLACES : PLACES.slice(1);
  const place = shown === 'first' && !narrow ? 'second' : shown;
  const pane = (at: Place) => (
    <section className={classes[at]} aria-label={panes[at].name}>
      {panes[at].content}
    </section>
  );
  return (
    <div ref={ref} className={classes.view}>
      <div
        className={classes.columns}
        style={{ '--first': width } as CSSProperties}
        data-pane={place}
        data-turns={turns || undefined}
      >
        {pane('first')}
        <div className={classes.switch}>
          <SegmentedControl
            fullWidth
            aria-label="Show"
            value={place}
            onChange={onShow}
            data={choice.map((value) => ({
              value,
              label: panes[value].short ?? panes[value].name,
            }))}
          />
        </div>
        {pane('second')}
        {pane('third')}
      </div>
    </div>
  );
}
