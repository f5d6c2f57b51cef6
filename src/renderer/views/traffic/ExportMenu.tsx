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

type Export = (numbers: ExportMenuProps['numbers'], secrets: boolean) => Promise<unknown>;

const EXPORTS: readonly (readonly [name: string, about: string, run: Export])[] = [
  [
    'Report (HTML)',
    'Diagram, requests, responses and causes in one file, without secrets.',
    exportReport,
  ],
  [
    'Scenario (JSON)',
    'The requests and their outcomes, to run with grantbench run, without secrets.',
    exportScenario,
  ],
  ['HAR', 'For other tools.', (numbers, secrets) => exportExchanges(numbers, 'har', secrets)],
  ['JSON', 'With all checks.', (numbers, secrets) => exportExchanges(numbers, 'json', secrets)],
];

/** Exports exchanges: as a report for people, as a scenario to replay, or for other tools. */
export function ExportMenu({ numbers, children }: ExportMenuProps) {
  const [secrets, setSecrets] = useState(false);
  const what = numbers === null ? 'all listed exchanges' : pluralize(numbers.length, 'exchange');
  return (
    <Menu position="bottom-end">
      <Menu.Target>{children}</Menu.Target>
      <Menu.Dropdown>
        <Menu.Label>Export {what}</Menu.Label>
        {EXPORTS.map(([name, about, run]) => (
          <DescribedMenuAction
            key={name}
            name={name}
            about={about}
            needs="connection"
            run={() => run(numbers, secrets)}
          />
        ))}
        <Menu.Divider />
        <Menu.CheckboxItem checked={secrets} onChange={setSecrets}>
          Include secrets, codes and tokens in HAR and JSON
        </Menu.CheckboxItem>
      </Menu.Dropdown>
    </Menu>
  );
}
