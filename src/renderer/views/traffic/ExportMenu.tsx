import { ActionIcon, Menu, Tooltip } from '@mantine/core';
import { IconDownload } from '@tabler/icons-react';
import { useState } from 'react';
import { pluralize } from '../../ui/short-forms.ts';
import { exportExchanges, FORMATS } from './export-exchanges.ts';

interface ExportMenuProps {
  /** Rows chosen; all that are listed when none is. */
  readonly selected: ReadonlySet<number>;
  readonly isEmpty: boolean;
}

export function ExportMenu({ selected, isEmpty }: ExportMenuProps) {
  const [secrets, setSecrets] = useState(false);
  const some = selected.size > 1;
  const what = some ? pluralize(selected.size, 'selected exchange') : 'all listed exchanges';
  return (
    <Menu position="bottom-end">
      <Tooltip label="Export">
        <Menu.Target>
          <ActionIcon aria-label="Export" disabled={isEmpty}>
            <IconDownload size="1.2em" />
          </ActionIcon>
        </Menu.Target>
      </Tooltip>
      <Menu.Dropdown>
        <Menu.Label>Export {what}</Menu.Label>
        {FORMATS.map((format) => (
          <Menu.Item
            key={format}
            onClick={() => void exportExchanges(some ? [...selected] : null, format, secrets)}
          >
            As {format.toUpperCase()}
            {format === 'har' ? ' for other tools' : ' with traces'}
          </Menu.Item>
        ))}
        <Menu.Divider />
        <Menu.CheckboxItem checked={secrets} onChange={setSecrets}>
          With secrets, codes and tokens
        </Menu.CheckboxItem>
      </Menu.Dropdown>
    </Menu>
  );
}
