import { Button, Menu } from '@mantine/core';
import { IconChevronDown } from '@tabler/icons-react';
import { MenuWay } from '../../../ui/MenuWay.tsx';
import { report, scenario } from '../exports.ts';

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
        <MenuWay
          name="Report (HTML)"
          about="Diagram, messages, checks and verdicts in one file, without secrets."
          run={report}
        />
        <MenuWay
          name="Scenario (JSON)"
          about="Every step and its response, to run with grantbench run in CI, without secrets."
          run={scenario}
        />
      </Menu.Dropdown>
    </Menu>
  );
}
