// The form and the result of a repeated step: how often and how fast it is sent, and its responses.

import { Box, Button, Group, Progress, SegmentedControl, Stack, Text } from '@mantine/core';
import type { ReactNode } from 'react';
import type { Answer } from '../../scenario/actions/answer.ts';
import { MOST_REPEATED } from '../../scenario/defaults.ts';
import type { Outcome } from '../../scenario/runner/repeat.ts';
import { problemOf } from '../connection/control.ts';
import { CountField } from '../ui/number-field.tsx';
import { Hint, Problem } from '../ui/panel.tsx';
import { ProgressLine } from '../ui/progress.tsx';
import { problemSentence } from '../ui/problems.ts';
import { milliseconds } from '../ui/short-forms.ts';
import { pluralize } from '../../words.ts';
import { toneOf, StatusTag } from '../ui/status.tsx';
import { outcomeWords, type PaceForm, type Repeated } from './repeat-request.ts';

const WAYS = [
  { value: 'parallel', label: 'In parallel' },
  { value: 'rate', label: 'At a rate' },
] as const;

interface PaceFieldsProps {
  readonly form: PaceForm;
  readonly onChange: (change: Partial<PaceForm>) => void;
}

/** Whether requests are sent in parallel or at a rate. */
export function PaceWay({ form: { way }, onChange }: PaceFieldsProps) {
  return (
    <SegmentedControl
      fullWidth
      aria-label="Pace"
      value={way}
      onChange={(value) => onChange({ way: value })}
      data={[...WAYS]}
    />
  );
}

/** The number of requests, and how many at once or per second. */
export function PaceCounts({ form, onChange }: PaceFieldsProps) {
  const { times, way, parallel, per_second } = form;
  return (
    <>
      <CountField
        label="Times"
        value={times}
        most={MOST_REPEATED.count}
        onChange={(value) => onChange({ times: value })}
      />
      {way === 'parallel' ? (
        <CountField
          label="At once"
          value={parallel}
          most={MOST_REPEATED.parallel}
          onChange={(value) => onChange({ parallel: value })}
        />
      ) : (
        <CountField
          label="Per second"
          value={per_second}
          most={MOST_REPEATED.per_second}
          onChange={(value) => onChange({ per_second: value })}
        />
      )}
    </>
  );
}

function paceWords({ tally, took_ms }: Repeated): string {
  if (took_ms === 0) return '';
  const rate = (1000 * tally.sent) / took_ms;
  const digits = rate < 10 ? 1 : 0;
  return `${milliseconds(took_ms)} · ${rate.toFixed(digits)} per second`;
}

interface OutcomeRowProps {
  readonly outcome: Outcome<Answer>;
  readonly of: number;
  readonly onOpen: (() => void) | undefined;
}

function OutcomeRow({ outcome, of, onOpen }: OutcomeRowProps) {
  const { status, count, first } = outcome;
  const tone = toneOf(status);
  const words = outcomeWords(outcome);
  return (
    <Group component="li" gap="var(--s1) var(--s3)">
      <Box flex={1}>
        <StatusTag tone={tone}>{words}</StatusTag>
      </Box>
      <Text span size="xs" ff="monospace">
        {count.toLocaleString('en')}×
      </Text>
      {onOpen !== undefined && (
        <Button variant="subtle" onClick={onOpen} aria-label={`Open the first ${words}`}>
          First: #{first.exchange?.number}
        </Button>
      )}
      <Progress
        aria-hidden="true"
        flex="0 0 100%"
        size={6}
        value={(100 * count) / of}
        color={tone === 'warn' || tone === 'bad' ? `var(--${tone})` : 'var(--ok)'}
      />
    </Group>
  );
}

interface RepetitionResultProps {
  readonly repeated: Repeated;
  readonly stop: ReactNode;
  /** Opens the first response of the outcome at this index. */
  readonly onOpen?: (place: number) => void;
}

/** The progress and the speed of a repetition, and the count of each response. */
export function RepetitionResult({ repeated, stop, onOpen }: RepetitionResultProps) {
  const { goal, tally, state, error } = repeated;
  return (
    <Stack gap="xs">
      <ProgressLine
        label="Requests answered"
        done={tally.sent}
        of={goal}
        words={`${tally.sent.toLocaleString('en')} of ${pluralize(goal, 'request')} answered`}
        action={state === 'running' && stop}
      />
      <Hint>{paceWords(repeated)}</Hint>
      {state === 'failed' && <Problem role="status">{problemSentence(problemOf(error))}</Problem>}
      <Stack component="ul" role="list" gap="var(--s1h)" aria-label="Responses">
        {tally.outcomes.map((outcome, place) => (
          <OutcomeRow
            key={outcomeWords(outcome)}
            outcome={outcome}
            of={tally.sent}
            onOpen={onOpen && (() => onOpen(place))}
          />
        ))}
      </Stack>
    </Stack>
  );
}
