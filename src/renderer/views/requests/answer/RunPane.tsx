import { Button } from '@mantine/core';
import { IconArrowLeft } from '@tabler/icons-react';
import { milliseconds } from '../../../ui/short-forms.ts';
import { PanelHead } from '../../../ui/PanelHead.tsx';
import { sentence } from '../../../ui/problems.ts';
import { StatusTag } from '../../../ui/StatusTag.tsx';
import { toneOf } from '../../../ui/status.ts';
import { titleOf } from '../draft-words.ts';
import type { Sent } from '../requests-state.ts';
import { changeRequests, useRequests } from '../requests-store.ts';
import { cancel } from '../send.ts';
import { RunProgress } from '../../../sending/RunProgress.tsx';
import { outcomeWords, type Outcome, type Run } from '../../../sending/tally.ts';
import classes from './Answer.module.css';
import { AnsweredPane } from './AnsweredPane.tsx';

const look = (outcome: number | null) => changeRequests((state) => ({ ...state, outcome }));

const STATE_WORDS: Record<Run['state'], string> = {
  running: 'sending',
  done: 'done',
  stopped: 'cancelled',
  failed: 'ended early',
};

function paceWords({ tally, took_ms }: Run): string {
  if (took_ms === 0) return '';
  const rate = (1000 * tally.sent) / took_ms;
  const digits = rate < 10 ? 1 : 0;
  return `${milliseconds(took_ms)} · ${rate.toFixed(digits)} per second`;
}

interface OutcomeRowProps {
  readonly outcome: Outcome;
  readonly of: number;
  readonly onOpen: () => void;
}

function OutcomeRow({ outcome, of, onOpen }: OutcomeRowProps) {
  const { status, count, first } = outcome;
  const words = outcomeWords(outcome);
  return (
    <li className={classes.outcome} data-tone={toneOf(status)}>
      <span>
        <StatusTag tone={toneOf(status)}>{words}</StatusTag>
      </span>
      <span className={classes.times}>{count.toLocaleString('en')}×</span>
      <Button variant="subtle" onClick={onOpen} aria-label={`Open the first ${words}`}>
        First: #{first.number}
      </Button>
      <div className={classes.share} aria-hidden="true">
        <span style={{ width: `${(100 * count) / of}%` }} />
      </div>
    </li>
  );
}

interface RunPaneProps {
  readonly sent: Sent;
  readonly run: Run;
}

/** Many requests: how far they are, and how often each answer came. */
export function RunPane({ sent, run }: RunPaneProps) {
  const { goal, tally, state, message } = run;
  const place = useRequests((requests) => requests.outcome);
  const outcome = place === null ? undefined : tally.outcomes[place];
  if (outcome !== undefined) {
    const back = (
      <Button
        variant="subtle"
        leftSection={<IconArrowLeft size="1.1em" aria-hidden="true" />}
        onClick={() => look(null)}
      >
        All responses
      </Button>
    );
    return <AnsweredPane sent={sent} exchange={outcome.first} actions={back} />;
  }
  return (
    <>
      <PanelHead
        title={`${titleOf(sent.draft)}, ${goal.toLocaleString('en')} times`}
        note={STATE_WORDS[state]}
      />
      <div className={classes.run}>
        <RunProgress
          run={run}
          action={state === 'running' && <Button onClick={cancel}>Cancel</Button>}
        />
        <p className={classes.facts}>{paceWords(run)}</p>
        {message !== null && <p className={classes.problem}>{sentence(message)}</p>}
        <ul className={classes.outcomes} aria-label="Responses">
          {tally.outcomes.map((one, index) => (
            <OutcomeRow
              key={outcomeWords(one)}
              outcome={one}
              of={tally.sent}
              onOpen={() => look(index)}
            />
          ))}
        </ul>
      </div>
    </>
  );
}
