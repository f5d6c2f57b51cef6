import { Group, Stack, Text } from '@mantine/core';
import { IconCheck } from '@tabler/icons-react';
import type { MouseEvent } from 'react';
import type { FaultState } from '../../../control/fault-schemas.ts';
import { hrefOf, navigate } from '../../navigation/route.ts';
import { pluralize } from '../../ui/short-forms.ts';
import panel from '../../ui/panel.module.css';
import classes from './Faults.module.css';
import { queuesOf, type Queue, type Stop } from './queue.ts';
import { chanceInWords, delayWords, matchInWords, titleOf, whatInWords } from './rule-words.ts';

/** Beyond this number, kinds of requests are only counted. */
const MOST_SHOWN = 4;

const go = (id: string) => (event: MouseEvent) => {
  event.preventDefault();
  void navigate('faults', id);
};

/** A scripted response in short, by its status only; the table shows the rest. */
function brief(rule: FaultState): string {
  const { effect, delay_ms } = rule;
  if (effect.kind !== 'answer') return whatInWords(rule);
  return delay_ms === 0 ? `${effect.status}` : `${effect.status}, after ${delayWords(delay_ms)}`;
}

function how({ rule, count }: Stop, first: boolean): string {
  const often = count === null ? (first ? 'every time' : 'from then on') : `${count} ×`;
  const chance = chanceInWords(rule.probability);
  if (chance === '') return often;
  return count === null ? `${chance}:` : `${often}, ${chance}`;
}

function StopChip({ stop, first }: { readonly stop: Stop; readonly first: boolean }) {
  const { rule } = stop;
  return (
    <a
      className={classes.stop}
      href={hrefOf('faults', rule.id)}
      onClick={go(rule.id)}
      title={titleOf(rule)}
    >
      <Text span inherit c="var(--warn)">
        {how(stop, first)}
      </Text>{' '}
      {brief(rule)}
    </a>
  );
}

function QueueLine({ queue: { match, stops, ends } }: { readonly queue: Queue }) {
  return (
    <Group gap="var(--s1h) var(--s3)" align="baseline">
      <Text span className="mono" c="dimmed">
        {matchInWords(match)}
      </Text>
      <Group
        component="ol"
        role="list"
        gap={4}
        className={classes.stops ?? ''}
        aria-label={`Upcoming responses for ${matchInWords(match)}`}
      >
        {stops.map((stop, index) => (
          <li key={stop.rule.id}>
            <StopChip stop={stop} first={index === 0} />
          </li>
        ))}
        {ends && (
          <Group component="li" gap={4} c="var(--ok)">
            <IconCheck size="1.1em" aria-hidden="true" /> then normal responses
          </Group>
        )}
      </Group>
    </Group>
  );
}

/** The upcoming responses, as a queue for each kind of request. */
export function Queues({ rules }: { readonly rules: readonly FaultState[] }) {
  const queues = queuesOf(rules);
  const more = queues.length - MOST_SHOWN;
  return (
    <Stack
      component="section"
      className={panel.bar}
      gap={6}
      px="md"
      py="sm"
      fz="xs"
      bg="var(--surface)"
      aria-label="Upcoming responses"
    >
      {queues.length === 0 && (
        <Group component="p" gap={4} c="var(--ok)">
          <IconCheck size="1.1em" aria-hidden="true" /> No faults active: all responses are normal.
        </Group>
      )}
      {queues.slice(0, MOST_SHOWN).map((queue) => (
        <QueueLine key={matchInWords(queue.match)} queue={queue} />
      ))}
      {more > 0 && (
        <Text size="xs" c="dimmed">
          and {pluralize(more, 'more kind', 'more kinds')} of requests
        </Text>
      )}
    </Stack>
  );
}
