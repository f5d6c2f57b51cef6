import { useCallback, useEffect, useRef, useState } from 'react';
import { flushSync } from 'react-dom';
import { type Place, ThreePanes } from '../../ui/ThreePanes.tsx';
import { AppLine, ConnectPane } from './ConnectPane.tsx';
import { selectedEvent } from './flow-state.ts';
import { loadSteps } from './run-flow.ts';
import { changeFlow, useFlow } from './flow-store.ts';
import { lazyPart, usePrefetch } from '../../ui/lazy-part.tsx';
import { FlowSequence } from './FlowSequence.tsx';
import { StepList } from './StepList.tsx';
import { takeHandedOver, useHandedOver } from '../../sending/handover.ts';
import { replay } from './flow-actions.ts';

const DetailPane = lazyPart(async () => (await import('./DetailPane.tsx')).DetailPane);

const MistakesDialog = lazyPart(async () => (await import('./MistakesDialog.tsx')).MistakesDialog);

function useReplay(): void {
  const scenario = useHandedOver('flow');
  useEffect(() => {
    if (scenario === null) return;
    takeHandedOver();
    void replay(scenario.name, JSON.stringify(scenario, null, 2));
  }, [scenario]);
}

/** The Flow view: the steps, their sequence diagram, and the selected message, or else the app under test. */
export function FlowView() {
  const [shown, setShown] = useState<Place>('second');
  const event = useFlow(selectedEvent);
  const mistakes = useFlow((state) => state.mistake_run);
  const app = useRef<HTMLDivElement>(null);
  useReplay();
  usePrefetch(loadSteps);
  usePrefetch(DetailPane.load);
  const showApp = () => {
    flushSync(() => {
      changeFlow((state) => ({ ...state, selected: null }));
      setShown('third');
    });
    // The button that had the focus is gone.
    app.current?.focus();
  };
  const openMessage = useCallback(() => setShown('third'), []);
  const steps = (
    <>
      <StepList />
      {event !== null && <AppLine onOpen={showApp} />}
      {mistakes !== null && <MistakesDialog run={mistakes} />}
    </>
  );
  return (
    <ThreePanes
      width="21rem"
      shown={shown}
      onShow={setShown}
      first={{ name: 'Steps', content: steps }}
      second={{ name: 'Sequence', content: <FlowSequence onOpen={openMessage} /> }}
      third={
        event === null
          ? { name: 'Your app', content: <ConnectPane ref={app} /> }
          : { name: 'Exchange', content: <DetailPane event={event} /> }
      }
    />
  );
}
