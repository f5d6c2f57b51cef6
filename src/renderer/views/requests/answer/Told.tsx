import { shownEntry, type Answer } from '../requests-state.ts';
import { useRequests } from '../requests-store.ts';
import { outcomeWords } from '../../../sending/tally.ts';

function words(answer: Answer): string {
  switch (answer.kind) {
    case 'sending':
    case 'kept':
      return '';
    case 'exchange': {
      const { exchange } = answer;
      if (exchange.status === 0) return `No response. ${exchange.fault?.what ?? ''}`;
      return `Response: ${outcomeWords(exchange)}. ${exchange.why?.summary ?? ''}`;
    }
    case 'failed':
      return `No response. ${answer.message}`;
    case 'cancelled':
      return 'Cancelled.';
    case 'run':
      return answer.run.state === 'running' ? '' : `${answer.run.tally.sent} requests answered.`;
  }
}

/** Tells a screen reader the outcome of the request. */
export function Told() {
  const sent = useRequests(shownEntry);
  return (
    <div role="status" className="visually-hidden">
      {sent !== null && words(sent.answer)}
    </div>
  );
}
