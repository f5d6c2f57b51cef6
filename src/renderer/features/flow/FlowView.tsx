import { SegmentedControl } from '@mantine/core';
import { useState } from 'react';
import { DetailPane } from './detail/DetailPane.tsx';
import classes from './Flow.module.css';
import { SequencePane } from './sequence/SequencePane.tsx';
import { StepList } from './steps/StepList.tsx';

type Pane = 'sequence' | 'exchange';

const PANES = [
  { value: 'sequence', label: 'Sequence' },
  { value: 'exchange', label: 'Exchange' },
] as const;

/**
 * The home of the workbench: steps, the diagram of what they did, and the exchange selected in it.
 * Where three columns do not fit, diagram and exchange share one.
 */
export function FlowView() {
  const [pane, setPane] = useState<Pane>('sequence');
  return (
    <div className={classes.flow}>
      <div className={classes.columns} data-pane={pane}>
        <section className={classes.steps} aria-label="Steps">
          <StepList />
        </section>
        <div className={classes.switch}>
          <SegmentedControl
            fullWidth
            aria-label="Show"
            value={pane}
            onChange={setPane}
            data={[...PANES]}
          />
        </div>
        <section className={classes.sequence} aria-label="Sequence">
          <SequencePane onOpen={() => setPane('exchange')} />
        </section>
        <section className={classes.exchange} aria-label="Exchange">
          <DetailPane />
        </section>
      </div>
    </div>
  );
}
