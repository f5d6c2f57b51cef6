import { ActionIcon, Menu, Tooltip } from '@mantine/core';
import { IconDots } from '@tabler/icons-react';
import type { SavedRequest } from '../../../../control/schemas.ts';
import { usePage } from '../../../connection/state.ts';
import { MoveButton } from '../../../saved/MoveButton.tsx';
import { elsewhere, whereWords } from '../../../saved/place.ts';
import { requestShelf } from '../../../saved/requests.ts';
import type { Entry } from '../../../saved/shelf.ts';
import { useNameFilter } from '../../../saved/use-name-filter.tsx';
import { openSaved } from '../request-actions.ts';
import { useRequests } from '../requests-store.ts';
import classes from './Start.module.css';

interface RowProps {
  readonly entry: Entry<SavedRequest>;
  readonly current: boolean;
}

function Row({ entry, current }: RowProps) {
  const { name, place, record } = entry;
  const other = usePage((state) => elsewhere(place, state.server));
  return (
    <li className={classes.sent} data-shown={current || undefined}>
      <button
        type="button"
        className={classes.open}
        aria-current={current || undefined}
        onClick={() => void openSaved(record)}
      >
        <span className={classes.named} dir="auto">
          {name}
        </span>
        <span className={classes.under}>
          {[`${record.method} ${record.path}`, other].filter(Boolean).join(' · ')}
        </span>
      </button>
      <Menu position="bottom-end">
        <Tooltip label="More">
          <Menu.Target>
            <ActionIcon aria-label={`More for ${name}`}>
              <IconDots size="1.1em" />
            </ActionIcon>
          </Menu.Target>
        </Tooltip>
        <Menu.Dropdown>
          <Menu.Item onClick={() => void openSaved(record)}>Open</Menu.Item>
          <Menu.Item onClick={() => void requestShelf.remove(entry)}>Delete</Menu.Item>
        </Menu.Dropdown>
      </Menu>
    </li>
  );
}

/** One's own requests by name; nothing where there are none. */
export function SavedRequests() {
  const all = requestShelf.use();
  const current = useRequests((state) => state.saved_as);
  const where = usePage((state) => whereWords(state.server));
  const { shown, field } = useNameFilter(all, 'saved requests');
  if (all.length === 0) return null;
  return (
    <div>
      <div className={classes.head}>
        <h2>Saved</h2>
      </div>
      <div className={classes.about}>
        {field}
        <MoveButton shelf={requestShelf} />
      </div>
      <ul className={classes.list} aria-label="Saved requests">
        {shown.map((entry) => (
          <Row
            key={`${entry.place} ${entry.name}`}
            entry={entry}
            current={entry.name === current}
          />
        ))}
      </ul>
      <p className={classes.empty}>{where}</p>
    </div>
  );
}
