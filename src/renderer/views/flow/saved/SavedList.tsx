import { ActionIcon, Button } from '@mantine/core';
import { IconTrash } from '@tabler/icons-react';
import { momentInWords } from '../../../../oauth/moments.ts';
import { pluralize } from '../../../ui/short-forms.ts';
import { useFlow } from '../flow-store.ts';
import { replayFlow } from '../replay.ts';
import type { SavedFlow } from '../saved-flow.ts';
import { deleteFlow } from '../saved-flows.ts';
import { whileBusy } from '../../../ui/while-busy.ts';
import classes from './Saved.module.css';

interface SavedListProps {
  readonly flows: readonly SavedFlow[];
  readonly onReplay: () => void;
}

function factsOf({ script, saved_at }: SavedFlow): string {
  const mistakes = script.filter(({ mistake }) => mistake !== null).length;
  const parts = [pluralize(script.length, 'step')];
  if (mistakes > 0) parts.push(`${mistakes} wrong on purpose`);
  parts.push(momentInWords(Date.parse(saved_at), Date.now()));
  return parts.join(' · ');
}

/** The flows that were kept, newest first. */
export function SavedList({ flows, onReplay }: SavedListProps) {
  const busy = useFlow((state) => state.running !== null);
  if (flows.length === 0) {
    return (
      <p className={classes.none}>
        No flow is saved yet. One that is can be replayed here, step by step, and is told apart
        where it comes out differently.
      </p>
    );
  }
  const replay = (saved: SavedFlow) => {
    if (busy) return;
    onReplay();
    void replayFlow(saved);
  };
  return (
    <ul className={classes.list} aria-label="Saved flows">
      {flows.map((saved) => (
        <li key={saved.name} className={classes.flow}>
          <span className={classes.name}>{saved.name}</span>
          <small className={classes.facts}>{factsOf(saved)}</small>
          <Button
            aria-label={`Replay: ${saved.name}`}
            onClick={() => replay(saved)}
            {...whileBusy(busy)}
          >
            Replay
          </Button>
          <ActionIcon
            aria-label={`Delete: ${saved.name}`}
            title="Delete"
            onClick={() => void deleteFlow(saved)}
          >
            <IconTrash size="1.1em" />
          </ActionIcon>
        </li>
      ))}
    </ul>
  );
}
