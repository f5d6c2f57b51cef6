import { ActionIcon, Button } from '@mantine/core';
import { IconDownload, IconTrash } from '@tabler/icons-react';
import { momentInWords } from '../../../../oauth/moments.ts';
import { pluralize } from '../../../ui/short-forms.ts';
import { whileBusy } from '../../../ui/while-busy.ts';
import { replay } from '../exports.ts';
import { useFlow } from '../flow-store.ts';
import { saveScenario } from '../../../recording/save-scenario.ts';
import classes from './Saved.module.css';
import { nameOf, type SavedFlow } from './saved-flow.ts';
import { deleteFlow } from './saved-store.ts';

interface SavedListProps {
  readonly flows: readonly SavedFlow[];
  readonly onReplay: () => void;
}

const factsOf = ({ scenario: { steps }, saved_at }: SavedFlow): string =>
  [pluralize(steps.length, 'step'), momentInWords(Date.parse(saved_at), Date.now())].join(' · ');

interface RowProps {
  readonly saved: SavedFlow;
  readonly busy: boolean;
  readonly onReplay: () => void;
}

function Row({ saved, busy, onReplay }: RowProps) {
  const name = nameOf(saved);
  const start = () => {
    if (busy) return;
    onReplay();
    void replay(name, JSON.stringify(saved.scenario, null, 2));
  };
  return (
    <li className={classes.flow}>
      <span className={classes.name}>{name}</span>
      <small className={classes.facts}>{factsOf(saved)}</small>
      <Button aria-label={`Replay: ${name}`} onClick={start} {...whileBusy(busy)}>
        Replay
      </Button>
      <ActionIcon
        aria-label={`Export: ${name}`}
        title="Export"
        onClick={() => void saveScenario(saved.scenario)}
      >
        <IconDownload size="1.1em" />
      </ActionIcon>
      <ActionIcon
        aria-label={`Delete: ${name}`}
        title="Delete"
        onClick={() => void deleteFlow(saved)}
      >
        <IconTrash size="1.1em" />
      </ActionIcon>
    </li>
  );
}

/** The flows that were kept, newest first. */
export function SavedList({ flows, onReplay }: SavedListProps) {
  const busy = useFlow((state) => state.running !== null);
  if (flows.length === 0) {
    return (
      <p className={classes.none}>
        No saved flows yet. You can replay a saved flow here, step by step. The replay stops at the
        first unexpected response.
      </p>
    );
  }
  return (
    <ul className={classes.list} aria-label="Saved flows">
      {flows.map((saved) => (
        <Row key={nameOf(saved)} saved={saved} busy={busy} onReplay={onReplay} />
      ))}
    </ul>
  );
}
