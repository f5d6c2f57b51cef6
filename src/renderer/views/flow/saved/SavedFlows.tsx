import { Button, Popover } from '@mantine/core';
import { IconChevronDown } from '@tabler/icons-react';
import { flowShelf } from '../../../saved/flows.ts';
import { MoveButton } from '../../../saved/MoveButton.tsx';
import { whileBusy } from '../../../ui/while-busy.ts';
import { chooseComparison } from '../comparison/comparison-store.ts';
import { ComparisonHost } from '../comparison/ComparisonHost.tsx';
import { changeFlow, useFlow } from '../flow-store.ts';
import { openScenario } from '../open-scenario.ts';
import classes from './Saved.module.css';
import { SavedList } from './SavedList.tsx';
import { SaveFlow } from './SaveFlow.tsx';
import { useUnconverted } from './saved-store.ts';
import { UnconvertedFlows } from './UnconvertedFlows.tsx';
import { UnreadableScenario } from './UnreadableScenario.tsx';

const setOpened = (choosing: boolean) => changeFlow((state) => ({ ...state, choosing }));

/** Saves the walk by name, replays one that was saved or a scenario out of a file, and opens comparisons. */
export function SavedFlows() {
  const opened = useFlow((state) => state.choosing);
  const unconverted = useUnconverted();
  const done = useFlow((state) => state.events.length > 0);
  const busy = useFlow((state) => state.running !== null);
  const open = () => {
    if (busy) return;
    setOpened(false);
    openScenario();
  };
  const compare = () => {
    setOpened(false);
    chooseComparison();
  };
  return (
    <>
      <Popover
        opened={opened}
        onChange={setOpened}
        position="bottom-end"
        width="20rem"
        trapFocus
        returnFocus
      >
        <Popover.Target>
          <Button
            variant="subtle"
            onClick={() => setOpened(!opened)}
            rightSection={<IconChevronDown size="1.1em" aria-hidden="true" />}
          >
            Saved
          </Button>
        </Popover.Target>
        <Popover.Dropdown className={classes.dropdown} aria-label="Saved flows">
          <SavedList onReplay={() => setOpened(false)} />
          <MoveButton shelf={flowShelf} />
          {done && <SaveFlow onSaved={() => setOpened(false)} />}
          {unconverted.length > 0 && <UnconvertedFlows all={unconverted} />}
          <Button variant="subtle" onClick={open} {...whileBusy(busy)}>
            Open a scenario…
          </Button>
          <Button variant="subtle" onClick={compare}>
            Open a comparison with a provider…
          </Button>
        </Popover.Dropdown>
      </Popover>
      <UnreadableScenario />
      <ComparisonHost />
    </>
  );
}
