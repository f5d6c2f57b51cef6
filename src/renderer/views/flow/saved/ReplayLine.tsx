import { ActionIcon, Button } from '@mantine/core';
import { IconAlertTriangle, IconCircleCheck, IconPlayerPlay, IconX } from '@tabler/icons-react';
import type { Replayed, Replaying } from '../replay/replay-state.ts';
import { changeFlow } from '../flow-store.ts';
import { replayInWords } from '../replay-words.ts';
import classes from './Saved.module.css';

/** More than these would bury the diagram; the report has them all. */
const MOST_LINES = 4;

function Differences({ all }: { readonly all: readonly string[] }) {
  const rest = all.length - MOST_LINES;
  return (
    <ul>
      {all.slice(0, MOST_LINES).map((difference, index) => (
        <li key={index}>{difference}</li>
      ))}
      {rest > 0 && <li>and {rest} more, which are in the report.</li>}
    </ul>
  );
}

const stop = () =>
  changeFlow((state) => ({
    ...state,
    replaying: state.replaying === null ? null : { ...state.replaying, stopping: true },
  }));

/** Which scenario is running, and the way to stop it. */
export function ReplayingLine({ name, stopping }: Replaying) {
  return (
    <div className={classes.replayed} role="status" data-running>
      <IconPlayerPlay size="1.2em" aria-hidden="true" />
      <p>“{name}” is running…</p>
      <Button onClick={stop} disabled={stopping} aria-label={`Stop: ${name}`}>
        Stop
      </Button>
    </div>
  );
}

/** Whether a scenario came out as expected. */
export function ReplayLine({ replayed }: { readonly replayed: Replayed }) {
  const { name, failure } = replayed;
  const failed = failure !== null;
  const Icon = failed ? IconAlertTriangle : IconCircleCheck;
  const dismiss = () => changeFlow((state) => ({ ...state, replayed: null }));
  return (
    <div className={classes.replayed} role="status" data-failed={failed || undefined}>
      <Icon size="1.2em" aria-hidden="true" />
      <div>
        <p>
          “{name}” replayed: {replayInWords(replayed)}
        </p>
        {failed && <Differences all={failure.differences} />}
      </div>
      <ActionIcon aria-label="Dismiss the result of the replay" title="Dismiss" onClick={dismiss}>
        <IconX size="1.1em" />
      </ActionIcon>
    </div>
  );
}
