import { useHotkeys } from '@mantine/hooks';
import { useEffect } from 'react';
import { ThreePanes, type Place } from '../../ui/ThreePanes.tsx';
import { AnswerPane } from './answer/AnswerPane.tsx';
import { Composer } from './composer/Composer.tsx';
import { PasteDialog } from './composer/PasteDialog.tsx';
import { useHandedOver } from '../../sending/request-handover.ts';
import { begin } from './request-actions.ts';
import { changeRequests, useRequests } from './requests-store.ts';
import { send } from './send.ts';
import { StartPane } from './start/StartPane.tsx';

const PANES = { first: 'start', second: 'request', third: 'answer' } as const;
const PLACES = { start: 'first', request: 'second', answer: 'third' } as const;

const show = (place: Place) => changeRequests((state) => ({ ...state, pane: PANES[place] }));

/** Any request, composed by hand: where to start from, the request itself, and its response. */
export function RequestsView() {
  const pane = useRequests((state) => state.pane);
  // In fields too: that is where one has just typed.
  useHotkeys([['mod+Enter', () => void send()]], []);
  const handed = useHandedOver();
  useEffect(() => void begin(handed), [handed]);
  return (
    <>
      <ThreePanes
        width="220px"
        turns
        shown={PLACES[pane]}
        onShow={show}
        first={{ name: 'Start from', content: <StartPane /> }}
        second={{ name: 'Request', content: <Composer /> }}
        third={{ name: 'Exchange', short: 'Response', content: <AnswerPane /> }}
      />
      <PasteDialog />
    </>
  );
}
