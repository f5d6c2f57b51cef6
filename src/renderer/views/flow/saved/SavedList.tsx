import { ActionIcon, Button } from '@mantine/core';
import { IconDownload, IconTrash } from '@tabler/icons-react';
import { momentInWords } from '../../../../oauth/moments.ts';
import { usePage } from '../../../connection/state.ts';
import { flowShelf } from '../../../saved/flows.ts';
import { elsewhere } from '../../../saved/place.ts';
import type { SavedFlow } from '../../../saved/saved-flow.ts';
import type { Entry } from '../../../saved/shelf.ts';
import { useNameFilter } from '../../../saved/use-name-filter.tsx';
import { pluralize } from '../../../ui/short-forms.ts';
import { whileBusy } from '../../../ui/while-busy.ts';
import { replay } from '../exports.ts';
import { useFlow } from '../flow-store.ts';
import { saveScenario } from '../../../recording/save-scenario.ts';
import classes from './Saved.module.css';

const factsOf = ({ scenario, saved_at }: SavedFlow): string =>
  [pluralize(scenario.steps.length, 'step'), momentInWords(Date.parse(saved_at), Date.now())].join(
    ' · ',
  );

interface RowProps {
  readonly saved: Entry<SavedFlow>;
  readonly busy: boolean;
  readonly onReplay: () => void;
}

function Row({ saved, busy, onReplay }: RowProps) {
  const { name, place, record } = saved;
  const other = usePage((state) => elsewhere(place, state.server));
  const start = () => {
    if (busy) return;
    onReplay();
    void replay(name, JSON.stringify(record.scenario, null, 2));
  };
  return (
    <li className={classes.flow}>
      <span className={classes.name}>{name}</span>
      <small className={classes.facts}>
        {[factsOf(record), other].filter(Boolean).join(' · ')}
      </small>
      <Button aria-label={`Replay: ${name}`} onClick={start} {...whileBusy(busy)}>
        Replay
      </Button>
      <ActionIcon
        aria-label={`Export: ${name}`}
        title="Export"
        onClick={() => void saveScenario(record.scenario)}
      >
        <IconDownload size="1.1em" />
      </ActionIcon>
      <ActionIcon
        aria-label={`Delete: ${name}`}
        title="Delete"
        onClick={() => void flowShelf.remove(saved)}
      >
        <IconTrash size="1.1em" />
      </ActionIcon>
    </li>
  );
}

/** The flows that were saved, newest first. */
export function SavedList({ onReplay }: { readonly onReplay: () => void }) {
  const busy = useFlow((state) => state.running !== null);
  const flows = flowShelf.use();
  const { shown, field } = useNameFilter(flows, 'saved flows');
  if (flows.length === 0) {
    return (
      <p className={classes.none}>
        No saved flows yet. You can replay a saved flow here, step by step. The replay stops at the
        first unexpected response.
      </p>
    );
  }
  return (
    <>
      {field}
      <ul className={classes.list} aria-label="Saved flows">
        {shown.map((saved) => (
          <Row key={`${saved.place} ${saved.name}`} saved={saved} busy={busy} onReplay={onReplay} />
        ))}
      </ul>
    </>
  );
}
