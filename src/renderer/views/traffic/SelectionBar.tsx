import { Button } from '@mantine/core';
import { IconChevronDown } from '@tabler/icons-react';
import { memo } from 'react';
import { pluralize } from '../../ui/short-forms.ts';
import { ExportMenu } from './ExportMenu.tsx';
import { showSequence } from './traffic-actions.ts';
import classes from './Traffic.module.css';
import { changeTraffic, useTraffic } from './traffic-store.ts';
import { withSelection } from './traffic-state.ts';

/** What can be done with several exchanges at once. */
export const SelectionBar = memo(function SelectionBar() {
  const selected = useTraffic((state) => state.selected);
  const some = selected.size > 1;
  return (
    <div className={some ? classes.selection : undefined}>
      <span role="status">{some && `${pluralize(selected.size, 'exchange')} selected`}</span>
      {some && (
        <>
          <Button onClick={showSequence}>Show as sequence</Button>
          <ExportMenu numbers={[...selected]}>
            <Button rightSection={<IconChevronDown size="1.1em" aria-hidden="true" />}>
              Export selection
            </Button>
          </ExportMenu>
          <Button
            variant="subtle"
            onClick={() => changeTraffic((state) => withSelection(state, []))}
          >
            Clear selection
          </Button>
        </>
      )}
    </div>
  );
});
