import { ActionIcon, Popover, Tooltip } from '@mantine/core';
import { IconKeyboard } from '@tabler/icons-react';
import { TRAFFIC_KEYS } from './keys.ts';
import classes from './Traffic.module.css';

export function KeyHints() {
  return (
    <Popover position="bottom-end" trapFocus={false}>
      <Tooltip label="Keys">
        <Popover.Target>
          <ActionIcon aria-label="Keys of this view">
            <IconKeyboard size="1.2em" />
          </ActionIcon>
        </Popover.Target>
      </Tooltip>
      <Popover.Dropdown>
        <dl className={classes.keys} aria-label="Keys of this view">
          {TRAFFIC_KEYS.map(({ keys, what }) => (
            <div key={what}>
              <dt>
                {keys.map((key) => (
                  <kbd key={key}>{key}</kbd>
                ))}
              </dt>
              <dd>{what}</dd>
            </div>
          ))}
        </dl>
      </Popover.Dropdown>
    </Popover>
  );
}
