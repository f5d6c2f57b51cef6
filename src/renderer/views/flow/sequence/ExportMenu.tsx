import { Button, Menu } from '@mantine/core';
import { IconChevronDown } from '@tabler/icons-react';
import { report, scenario } from '../exports.ts';
import classes from './ExportMenu.module.css';

interface WayOutProps {
  readonly name: string;
  readonly about: string;
  readonly run: () => Promise<boolean>;
}

function WayOut({ name, about, run }: WayOutProps) {
  return (
    <Menu.Item onClick={() => void run()}>
      <span className={classes.name}>{name}</span>
      <small className={classes.about}>{about}</small>
    </Menu.Item>
  );
}

/** The walk as a file: for people, or to be done again. */
export function ExportMenu({ disabled }: { readonly disabled: boolean }) {
  return (
    <Menu position="bottom-end">
      <Menu.Target>
        <Button
          variant="subtle"
          disabled={disabled}
          rightSection={<IconChevronDown size="1.1em" aria-hidden="true" />}
        >
          Export
        </Button>
      </Menu.Target>
      <Menu.Dropdown>
        <WayOut
          name="Report (HTML)"
          about="Diagram, messages, checks and verdicts in one file, without secrets."
          run={report}
        />
        <WayOut
          name="Scenario (JSON)"
          about="Every step and its response, to run with grantbench run in CI."
          run={scenario}
        />
      </Menu.Dropdown>
    </Menu>
  );
}
