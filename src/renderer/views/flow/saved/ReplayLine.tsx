import { ActionIcon } from '@mantine/core';
import { IconAlertTriangle, IconCircleCheck, IconX } from '@tabler/icons-react';
import type { Difference, Replayed } from '../flow-state.ts';
import { changeFlow, useFlow } from '../flow-store.ts';
import { differenceInWords, entryInWords, replayInWords } from '../script-words.ts';
import classes from './Saved.module.css';

/** More than these would bury the diagram; the report has them all. */
const MOST_LINES = 4;

function Differences({ all }: { readonly all: readonly Difference[] }) {
  const rest = all.length - MOST_LINES;
  return (
    <ul>
      {all.slice(0, MOST_LINES).map((difference, index) => (
        <li key={index}>
          <b>{entryInWords(difference.entry)}:</b> {differenceInWords(difference)}
        </li>
      ))}
      {rest > 0 && <li>and {rest} more, which the report tells.</li>}
    </ul>
  );
}

/** Whether a saved flow came out as it did when it was saved. */
export function ReplayLine({ replayed }: { readonly replayed: Replayed }) {
  const name = useFlow((state) => state.name);
  const { differences } = replayed;
  const differs = differences.length > 0;
  const Icon = differs ? IconAlertTriangle : IconCircleCheck;
  const dismiss = () => changeFlow((state) => ({ ...state, replayed: null }));
  return (
    <div className={classes.replayed} role="status" data-differs={differs || undefined}>
      <Icon size="1.2em" aria-hidden="true" />
      <div>
        <p>
          “{name}” replayed: {replayInWords(replayed)}
        </p>
        {differs && <Differences all={differences} />}
      </div>
      <ActionIcon aria-label="Dismiss what the replay came to" onClick={dismiss}>
        <IconX size="1.1em" />
      </ActionIcon>
    </div>
  );
}
