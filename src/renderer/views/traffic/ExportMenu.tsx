import { Menu, Tooltip } from '@mantine/core';
import { useState, type ReactNode } from 'react';
import { MenuWay } from '../../ui/MenuWay.tsx';
import { pluralize } from '../../ui/short-forms.ts';
import { exportExchanges, exportReport, exportScenario } from './exports.ts';

interface ExportMenuProps {
  /** Of the exchanges; null for all that are listed. */
  readonly numbers: readonly number[] | null;
  /** What the button says when it is only an icon. */
  readonly tooltip?: string;
  /** The button that opens it. */
  readonly children: ReactNode;
}

/** Exchanges as a file: for people, to be done again, or for other tools. */
export function ExportMenu({ numbers, tooltip, children }: ExportMenuProps) {
  const [secrets, setSecrets] = useState(false);
  const what = numbers === null ? 'all listed exchanges' : pluralize(numbers.length, 'exchange');
  return (
    <Menu position="bottom-end">
      <Tooltip label={tooltip} disabled={tooltip === undefined}>
        <Menu.Target>{children}</Menu.Target>
      </Tooltip>
      <Menu.Dropdown>
        <Menu.Label>Export {what}</Menu.Label>
        <MenuWay
          name="Report (HTML)"
          about="Diagram, requests, responses and causes in one file, without secrets."
          needs="connection"
          run={() => exportReport(numbers)}
        />
        <MenuWay
          name="Scenario (JSON)"
          about="The requests and their outcomes, to run with grantbench run, without secrets."
          needs="connection"
          run={() => exportScenario(numbers)}
        />
        <MenuWay
          name="HAR"
          about="For other tools."
          needs="connection"
          run={() => exportExchanges(numbers, 'har', secrets)}
        />
        <MenuWay
          name="JSON"
          about="With all checks."
          needs="connection"
          run={() => exportExchanges(numbers, 'json', secrets)}
        />
        <Menu.Divider />
        <Menu.CheckboxItem checked={secrets} onChange={setSecrets}>
          HAR and JSON with secrets, codes and tokens
        </Menu.CheckboxItem>
      </Menu.Dropdown>
    </Menu>
  );
}
