import { Button } from '@mantine/core';
import { IconAlertTriangle, IconChevronDown, IconHistoryOff } from '@tabler/icons-react';
import { useEffect, useMemo, useRef } from 'react';
import type { Exchange } from '../../../control/schemas.ts';
import { timeOfDay } from '../../connection/clock.ts';
import { page } from '../../connection/state.ts';
import { newestOfApp, type AppTraffic } from '../../connect/app-traffic.ts';
import { useAppTraffic } from '../../connect/use-app-traffic.ts';
import { SequenceDiagram } from '../../sequence/SequenceDiagram.tsx';
import { EmptyState } from '../../ui/EmptyState.tsx';
import { PanelHead } from '../../ui/PanelHead.tsx';
import { pluralize } from '../../ui/short-forms.ts';
import { useLoaded } from '../../ui/use-loaded.ts';
import { ExportMenu } from './ExportMenu.tsx';
import { readExchanges } from './read-exchanges.ts';
import { messagesOf } from './sequence-messages.ts';
import { closeSequence } from './traffic-actions.ts';
import classes from './Traffic.module.css';
import { MOST_IN_SEQUENCE, type Sequence } from './traffic-state.ts';
import { useTraffic } from './traffic-store.ts';

const numbersOf = (sequence: Sequence): readonly number[] =>
  sequence.of === 'chosen'
    ? sequence.numbers
    : newestOfApp(page.getState().exchanges, MOST_IN_SEQUENCE);

/** `14 exchanges`, `the newest 200 of 1,234 exchanges`, `3 of 5 exchanges; others are not kept` */
function countInWords(known: number | undefined, wanted: number): string {
  const all = pluralize(wanted, 'exchange');
  if (wanted > MOST_IN_SEQUENCE && (known ?? MOST_IN_SEQUENCE) === MOST_IN_SEQUENCE) {
    return `the newest ${MOST_IN_SEQUENCE} of ${all}`;
  }
  return known === undefined || known === wanted ? all : `${known} of ${all}; others are not kept`;
}

/** The app's are counted as they come; the diagram is soon as far. */
function noteOf(sequence: Sequence, known: number | undefined, app: AppTraffic | null): string {
  if (sequence.of === 'chosen') return countInWords(known, sequence.wanted);
  if (app === null) return 'no request of the app yet';
  const since = timeOfDay(Date.parse(app.first.at));
  const shown = Math.min(app.count, MOST_IN_SEQUENCE);
  return `${countInWords(shown, app.count)} since ${since}; new ones follow`;
}

interface DiagramProps {
  readonly exchanges: readonly Exchange[];
  readonly open: number | null;
  readonly onOpen: (number: number) => void;
}

function Diagram({ exchanges, open, onOpen }: DiagramProps) {
  const messages = useMemo(() => messagesOf(exchanges), [exchanges]);
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
  readonly sequence: Sequence;
}

/** Exchanges as a sequence diagram with their causes, in place of the list. */
export function SequencePane({ sequence, open, onOpen }: SequencePaneProps) {
  const revealed = useTraffic((state) => state.revealed);
  const app = useAppTraffic();
  const load = useMemo(
    () => () => readExchanges(numbersOf(sequence), revealed),
    [sequence, revealed],
  );
  const revision = sequence.of === 'app' ? `${app?.count} ${app?.newest.number}` : 0;
  const { known, problem, retry } = useLoaded(load, revision);
  const back = useRef<HTMLButtonElement>(null);
  useEffect(() => back.current?.focus(), []);
  return (
    <section className={classes.list} aria-label="Sequence">
      <PanelHead
        title={sequence.of === 'app' ? 'Since the app connected' : 'Sequence'}
        note={noteOf(sequence, known?.length, app)}
      >
        <ExportMenu numbers={(known ?? []).map(({ number }) => number)}>
          <Button
            variant="subtle"
            disabled={known === null || known.length === 0}
            rightSection={<IconChevronDown size="1.1em" aria-hidden="true" />}
          >
            Export
          </Button>
        </ExportMenu>
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
