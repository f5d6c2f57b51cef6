import { ActionIcon } from '@mantine/core';
import { IconAlertTriangle, IconCircleCheck, IconX } from '@tabler/icons-react';
import type { Replayed } from '../flow-state.ts';
import { changeFlow, useFlow } from '../flow-store.ts';
import type { Difference } from '../script.ts';
import { cameInWords, entryInWords, replayInWords } from '../script-words.ts';
import classes from './Saved.module.css';

function DifferenceLine({ entry, now }: Difference) {
  return (
    <>
      <b>{entryInWords(entry)}:</b> {cameInWords(now)}, was {cameInWords(entry.came)}
    </>
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
        {differs && (
          <ul>
            {differences.map((difference, index) => (
              <li key={index}>
                <DifferenceLine {...difference} />
              </li>
            ))}
          </ul>
        )}
      </div>
      <ActionIcon aria-label="Dismiss what the replay came to" onClick={dismiss}>
        <IconX size="1.1em" />
      </ActionIcon>
    </div>
  );
}
