import { Menu } from '@mantine/core';
import { useState, type ReactNode } from 'react';
import { DescribedMenuAction } from '../../ui/MenuAction.tsx';
import { pluralize } from '../../../words.ts';
import { exportExchanges, exportReport, exportScenario } from './exports.ts';

interface ExportMenuProps {
  /** The exchanges to export; null for all that are listed. */
  readonly numbers: readonly number[] | null;
  /** The button that opens the menu. */
  readonly children: ReactNode;
}

/** Exports exchanges: as a report for people, as a scenario to replay, or for other tools. */
export function ExportMenu({ numbers, children }: ExportMenuProps) {
  const [secrets, setSecrets] = useState(false);
  const what = numbers === null ? 'all listed exchanges' : pluralize(numbers.length, 'exchange');
  return (
    <Menu position="bottom-end">
      <Menu.Target>{children}</Menu.Target>
      <Menu.Dropdown>
        <Menu.Label>Export {what}</Menu.Label>
        <DescribedMenuAction
          name="Report (HTML)"
          about="Diagram, requests, responses and causes in one file, without secrets."
          needs="connection"
          run={() => exportReport(numbers)}
        />
        <DescribedMenuAction
          name="Scenario (JSON)"
          about="The requests and their outcomes, to run with grantbench run, without secrets."
          needs="connection"
          run={() => exportScenario(numbers)}
        />
        <DescribedMenuAction
          name="HAR"
          about="For other tools."
          needs="connection"
          run={() => exportExchanges(numbers, 'har', secrets)}
        />
        <DescribedMenuAction
          name="JSON"
          about="With all checks."
          needs="connection"
          run={() => exportExchanges(numbers, 'json', secrets)}
        />
        <Menu.Divider />
        <Menu.CheckboxItem checked={secrets} onChange={setSecrets}>
          Include secrets, codes and tokens in HAR and JSON
        </Menu.CheckboxItem>
      </Menu.Dropdown>
    </Menu>
  );
}
