import { Button } from '@mantine/core';
import { IconAlertTriangle, IconHistoryOff } from '@tabler/icons-react';
import { useEffect, useMemo, useRef } from 'react';
import type { Exchange } from '../../../control/schemas.ts';
import { control } from '../../connection/control.ts';
import { exchangeMessage, withClockNotes, type Message } from '../../sequence/message.ts';
import { SequenceDiagram } from '../../sequence/SequenceDiagram.tsx';
import { EmptyState } from '../../ui/EmptyState.tsx';
import { PanelHead } from '../../ui/PanelHead.tsx';
import { pluralize } from '../../ui/short-forms.ts';
import { useLoaded } from '../../ui/use-loaded.ts';
import { exportExchanges, FORMATS } from './export-exchanges.ts';
import { numberRanges } from './number-ranges.ts';
import { SENDER_SENTENCES } from './sender.ts';
import { closeSequence } from './traffic-actions.ts';
import classes from './Traffic.module.css';
import { MOST_IN_SEQUENCE } from './traffic-state.ts';
import { useTraffic } from './traffic-store.ts';

/** The exchanges that are still kept, oldest first. */
async function load(numbers: readonly number[], secrets: boolean): Promise<readonly Exchange[]> {
  const [ranges] = numberRanges(numbers, MOST_IN_SEQUENCE);
  if (ranges === undefined) return [];
  const answer = await control.exchanges.export({ format: 'json', numbers: ranges, secrets });
  return 'exchanges' in answer ? answer.exchanges : [];
}

function noteOf(known: number | undefined, wanted: number): string {
  const all = pluralize(wanted, 'exchange');
  return known === undefined || known === wanted ? all : `${known} of ${all}; others are not kept`;
}

/** The first lane is the app's: what another one sent says so. */
function messageOf(exchange: Exchange): Message {
  const message = exchangeMessage(exchange.number, exchange);
  if (exchange.sent_by === 'app') return message;
  const text = SENDER_SENTENCES[exchange.sent_by].replace('Sent', 'sent');
  return { ...message, notes: [{ text, tone: 'muted' }, ...message.notes] };
}

interface DiagramProps {
  readonly exchanges: readonly Exchange[];
  readonly open: number | null;
  readonly onOpen: (number: number) => void;
}

function Diagram({ exchanges, open, onOpen }: DiagramProps) {
  const messages = useMemo(
    () =>
      withClockNotes(
        exchanges.map((exchange) => ({
          message: messageOf(exchange),
          clock: exchange.clock,
        })),
      ),
    [exchanges],
  );
  if (messages.length === 0) {
    return (
      <EmptyState
        icon={<IconHistoryOff />}
        title="These exchanges are no longer kept"
        text="The service keeps the newest exchanges, within the limits in Settings."
      />
    );
  }
  return (
    <SequenceDiagram
      label="Exchanges, oldest first"
      messages={messages}
      selected={open}
      onSelect={onOpen}
    />
  );
}

interface SequencePaneProps extends Omit<DiagramProps, 'exchanges'> {
  readonly numbers: readonly number[];
}

/** Exchanges as a sequence diagram with their causes, in place of the list. */
export function SequencePane({ numbers, open, onOpen }: SequencePaneProps) {
  const revealed = useTraffic((state) => state.revealed);
  const loading = useMemo(() => () => load(numbers, revealed), [numbers, revealed]);
  const { known, problem, retry } = useLoaded(loading, 0);
  const back = useRef<HTMLButtonElement>(null);
  useEffect(() => back.current?.focus(), []);
  return (
    <section className={classes.list} aria-label="Sequence">
      <PanelHead title="Sequence" note={noteOf(known?.length, numbers.length)}>
        {FORMATS.map((format) => (
          <Button
            key={format}
            variant="subtle"
            disabled={known === null || known.length === 0}
            onClick={() => void exportExchanges(numbers, format, false)}
          >
            Export as {format.toUpperCase()}
          </Button>
        ))}
        <Button ref={back} onClick={closeSequence}>
          Back to the list
        </Button>
      </PanelHead>
      {known === null && problem !== null && (
        <EmptyState
          icon={<IconAlertTriangle />}
          title="The exchanges could not be loaded"
          text={problem}
          action={<Button onClick={retry}>Try again</Button>}
        />
      )}
      {known !== null && <Diagram exchanges={known} open={open} onOpen={onOpen} />}
    </section>
  );
}
