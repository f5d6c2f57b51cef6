import { NumberInput } from '@mantine/core';
import { usePage } from '../../connection/state.ts';
import type { ClientFieldsProps } from './client-fields.ts';
import classes from '../../ui/form.module.css';

/** A limit of its own. Both left empty: the workspace's. */
export function ClientThrottle({ form }: ClientFieldsProps) {
  const throttle = usePage((state) => state.settings?.throttle);
  if (throttle === undefined) return null;
  return (
    <fieldset className={classes.group}>
      <legend>Throttling</legend>
      <p className={classes.note}>
        For each code or refresh token and address. Both empty: the workspace’s limit.
      </p>
      <div className={classes.pair}>
        <NumberInput
          label="Limit in requests"
          placeholder={`Workspace: ${throttle.limit}`}
          allowNegative={false}
          {...form.getInputProps('throttle.limit')}
        />
        <NumberInput
          label="Window in seconds"
          placeholder={`Workspace: ${throttle.window_seconds}`}
          allowNegative={false}
          {...form.getInputProps('throttle.window_seconds')}
        />
      </div>
    </fieldset>
  );
}
