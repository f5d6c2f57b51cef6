import { SegmentedControl } from '@mantine/core';
import { useElementSize } from '@mantine/hooks';
import type { CSSProperties, ReactNode } from 'react';
import classes from './panes.module.css';

/** Below this width in pixels, a first column with `turns` shares one column with the others. */
const ROOM_FOR_FIRST = 600;

export const PLACES = ['first', 'second', 'third'] as const;
export type Place = (typeof PLACES)[number];

interface Pane {
  /** Names the region. */
  readonly name: string;
  /** Shorter name for the switch. */
  readonly short?: string;
  readonly content: ReactNode;
}

interface ThreePanesProps extends Readonly<Record<Place, Pane>> {
  /** Width of the first column, in CSS. */
  readonly width: string;
  /** Whether the first column is part of the switch in a narrow window; otherwise it is above the others. */
  readonly turns?: boolean;
  /** The column shown while they share one. */
  readonly shown: Place;
  readonly onShow: (place: Place) => void;
}

/** Three columns. In a narrow window they share one, with a switch above it. */
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
