import { useState } from 'react';
import { ThreePanes, type Place } from '../../ui/ThreePanes.tsx';
import { AppLine } from './connect/AppLine.tsx';
import { ConnectPane } from './connect/ConnectPane.tsx';
import { DetailPane } from './detail/DetailPane.tsx';
import { selectedEvent } from './flow-state.ts';
import { changeFlow, useFlow } from './flow-store.ts';
import { MistakesDialog } from './mistakes/MistakesDialog.tsx';
import { SequencePane } from './sequence/SequencePane.tsx';
import { StepList } from './steps/StepList.tsx';

/**
 * The home of the workbench: steps, the diagram of what they did, and the exchange selected in it; while none is, the
 * app under test.
 */
export function FlowView() {
  const [shown, setShown] = useState<Place>('second');
  const event = useFlow(selectedEvent);
  const showApp = () => {
    changeFlow((state) => ({ ...state, selected: null }));
    setShown('third');
  };
  const steps = (
    <>
      <StepList />
      <AppLine shown={event === null} onOpen={showApp} />
      <MistakesDialog />
    </>
  );
  return (
    <ThreePanes
      width="calc(var(--steps) + var(--s4))"
      shown={shown}
      onShow={setShown}
      first={{ name: 'Steps', content: steps }}
      second={{ name: 'Sequence', content: <SequencePane onOpen={() => setShown('third')} /> }}
      third={
        event === null
          ? { name: 'Your app', content: <ConnectPane /> }
          : { name: 'Exchange', content: <DetailPane event={event} /> }
      }
    />
  );
}
