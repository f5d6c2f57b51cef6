import type { FlowEvent } from '../flow-state.ts';
import { DecisionDetail } from './DecisionDetail.tsx';
import { EventDetail } from './EventDetail.tsx';
import { IssueDetail } from './IssueDetail.tsx';

/** The right column: whatever message is selected in the diagram. */
export function DetailPane({ event }: { readonly event: FlowEvent }) {
  if (event.kind === 'issue') return <IssueDetail event={event} />;
  if (event.kind === 'decision') return <DecisionDetail event={event} />;
  return <EventDetail event={event} />;
}
