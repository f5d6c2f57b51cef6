import { Button } from '@mantine/core';
import { memo } from 'react';
import { pluralize } from '../../ui/short-forms.ts';
import { exportExchanges, FORMATS } from './export-exchanges.ts';
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
          {FORMATS.map((format) => (
            <Button key={format} onClick={() => void exportExchanges([...selected], format, false)}>
              Export as {format.toUpperCase()}
            </Button>
          ))}
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
