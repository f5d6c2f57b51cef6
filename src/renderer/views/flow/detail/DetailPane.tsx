import { IconListSearch } from '@tabler/icons-react';
import { EmptyState } from '../../../ui/EmptyState.tsx';
import { selectedEvent } from '../flow-state.ts';
import { useFlow } from '../flow-store.ts';
import { DecisionDetail } from './DecisionDetail.tsx';
import { EventDetail } from './EventDetail.tsx';
import { IssueDetail } from './IssueDetail.tsx';

/** The right column: whatever message is selected in the diagram. */
export function DetailPane() {
  const event = useFlow(selectedEvent);
  if (event === null) {
    return (
      <EmptyState
        icon={<IconListSearch />}
        title="No exchange selected"
        text="Run a step to see its exchange here: the checks behind the response, the raw request and response, the token and the clock."
      />
    );
  }
  if (event.kind === 'issue') return <IssueDetail event={event} />;
  if (event.kind === 'decision') return <DecisionDetail event={event} />;
  return <EventDetail event={event} />;
}
