import { Switch, Tooltip } from '@mantine/core';
import { toggleWhose, useWhose } from '../../ui/preferences.ts';

/** Whether the request rate and advisories count what Grantbench sent itself, too. */
export function OwnSwitch() {
  const whose = useWhose();
  return (
    <Tooltip
      refProp="rootRef"
      label="Requests of the workbench, of commands and of scenarios. The throttle counts every request."
    >
      <Switch
        size="xs"
        label="Include Grantbench’s own"
        checked={whose === 'all'}
        onChange={toggleWhose}
      />
    </Tooltip>
  );
}
