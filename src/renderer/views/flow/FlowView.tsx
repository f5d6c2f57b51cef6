import { useState } from 'react';
import { ThreePanes, type Place } from '../../ui/ThreePanes.tsx';
import { DetailPane } from './detail/DetailPane.tsx';
import { SequencePane } from './sequence/SequencePane.tsx';
import { StepList } from './steps/StepList.tsx';

/** The home of the workbench: steps, the diagram of what they did, and the exchange selected in it. */
export function FlowView() {
  const [shown, setShown] = useState<Place>('second');
  return (
    <ThreePanes
      width="calc(var(--steps) + var(--s4))"
      shown={shown}
      onShow={setShown}
      first={{ name: 'Steps', content: <StepList /> }}
      second={{ name: 'Sequence', content: <SequencePane onOpen={() => setShown('third')} /> }}
      third={{ name: 'Exchange', content: <DetailPane /> }}
    />
  );
}
