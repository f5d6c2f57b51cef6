import { Button, Stack } from '@mantine/core';
import { IconChevronDown, IconHistoryOff } from '@tabler/icons-react';
import { useEffect, useMemo, useRef } from 'react';
import type { Exchange } from '../../../control/schemas.ts';
import { timeOfDay } from '../../connection/clock.ts';
import { useReach } from '../../connection/reach.ts';
import { page } from '../../connection/state.ts';
import { appTrafficOf, newestOfApp, useAppTraffic } from '../../connect-app/app-traffic.ts';
import { SequenceDiagram } from '../../sequence/SequenceDiagram.tsx';
import { EmptyState, PanelHead, LoadFailed } from '../../ui/panel.tsx';
import { pluralize } from '../../../words.ts';
import { useLoaded } from '../../ui/use-loaded.ts';
import { ExportMenu } from './ExportMenu.tsx';
import { readExchanges, messagesOf } from './read-exchanges.ts';
import { closeSequence, openExchange } from './traffic-actions.ts';
import { MOST_IN_SEQUENCE, type Sequence, useTraffic } from './traffic-state.ts';

/** The exchanges in the diagram, and how many were requested. */
interface Drawn {
  readonly exchanges: readonly Exchange[];
  /** null if there are more than the diagram shows. */
  readonly wanted: number | null;
  /** When the app sent its first request; null for exchanges chosen by hand. */
  readonly since: string | null;
}

async function read(sequence: Sequence, secrets: boolean): Promise<Drawn> {
  if (sequence.of === 'chosen') {
    const exchanges = await readExchanges(sequence.numbers, secrets);
    return { exchanges, wanted: sequence.wanted, since: null };
  }
  const app = appTrafficOf(page.getState());
  const exchanges = await readExchanges(await newestOfApp(MOST_IN_SEQUENCE), secrets);
  return { exchanges, wanted: app?.count ?? 0, since: app?.first.at ?? null };
}

/** `14 exchanges`, `the newest 200 of 1,234 exchanges`, `3 of 5 exchanges; the others are no longer kept` */
function countInWords({ exchanges: { length }, wanted }: Drawn): string {
  if (wanted === null) return `the newest ${pluralize(length, 'exchange')}; there are more`;
  // More exchanges may have been captured while these were read.
  const all = pluralize(Math.max(length, wanted), 'exchange');
  if (wanted > MOST_IN_SEQUENCE && length === MOST_IN_SEQUENCE) {
    return `the newest ${MOST_IN_SEQUENCE} of ${all}`;
  }
  return length >= wanted ? all : `${length} of ${all}; the others are no longer kept`;
}

function noteOf(sequence: Sequence, drawn: Drawn | null, live: boolean): string | undefined {
  if (drawn === null) return undefined;
  if (sequence.of === 'chosen') return countInWords(drawn);
  if (drawn.since === null) return 'no requests from the app yet';
  const follow = live ? '; new ones follow' : '';
  return `${countInWords(drawn)} since ${timeOfDay(Date.parse(drawn.since))}${follow}`;
}

interface TrafficSequenceProps {
  readonly sequence: Sequence;
  readonly open: number | null;
}

/** Exchanges as a sequence diagram with their causes, shown instead of the list. */
export function TrafficSequence({ sequence, open }: TrafficSequenceProps) {
  const revealed = useTraffic((state) => state.revealed);
  const app = useAppTraffic();
  const live = useReach((reach) => reach.live);
  const load = useMemo(() => () => read(sequence, revealed), [sequence, revealed]);
  const revision = sequence.of === 'app' ? `${app?.count} ${app?.newest.number}` : 0;
  const { known, problem, retry } = useLoaded(load, revision);
  const messages = useMemo(() => messagesOf(known?.exchanges ?? []), [known]);
  const back = useRef<HTMLButtonElement>(null);
  useEffect(() => back.current?.focus(), []);
  return (
    <Stack component="section" gap={0} h="100%" mih={0} aria-label="Sequence">
      <PanelHead
        title={sequence.of === 'app' ? 'Since the app connected' : 'Sequence'}
        note={noteOf(sequence, known, live)}
      >
        <ExportMenu numbers={(known?.exchanges ?? []).map(({ number }) => number)}>
          <Button
            variant="subtle"
            disabled={messages.length === 0}
            rightSection={<IconChevronDown />}
          >
            Export
          </Button>
        </ExportMenu>
        <Button ref={back} onClick={closeSequence}>
          Back to the list
        </Button>
      </PanelHead>
      {known === null && problem !== null && (
        <LoadFailed what="exchanges" problem={problem} retry={retry} />
      )}
      {known !== null && messages.length === 0 && (
        <EmptyState
          icon={IconHistoryOff}
          title="These exchanges are no longer kept"
          text="The service keeps the newest exchanges, within the limits in Settings."
        />
      )}
      {messages.length > 0 && (
        <SequenceDiagram
          label="Exchanges, oldest first"
          messages={messages}
          selected={open}
          onSelect={(number) => void openExchange(number)}
        />
      )}
    </Stack>
  );
}
