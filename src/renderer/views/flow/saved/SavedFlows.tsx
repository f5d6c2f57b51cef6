import { Button, Popover } from '@mantine/core';
import { IconChevronDown } from '@tabler/icons-react';
import { changeFlow, useFlow } from '../flow-store.ts';
import { useSavedFlows } from '../saved-flows.ts';
import classes from './Saved.module.css';
import { SavedList } from './SavedList.tsx';
import { SaveForm } from './SaveForm.tsx';

const setOpened = (choosing: boolean) => changeFlow((state) => ({ ...state, choosing }));

/** Keeps the walk by name, and does again one that was kept. */
export function SavedFlows() {
  const opened = useFlow((state) => state.choosing);
  const flows = useSavedFlows();
  const done = useFlow((state) => state.script.length > 0);
  return (
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
        {done && <SaveForm flows={flows} onSaved={() => setOpened(false)} />}
        <SavedList flows={flows} onReplay={() => setOpened(false)} />
      </Popover.Dropdown>
    </Popover>
  );
}
