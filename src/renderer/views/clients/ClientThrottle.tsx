import { NumberInput } from '@mantine/core';
import { clientSchema } from '../../../control/schemas.ts';
import { usePage } from '../../connection/state.ts';
import classes from '../../ui/form.module.css';
import { numberField } from '../../ui/number-field.tsx';
import { clientField, type ClientFieldsProps } from './client-fields.ts';

/** A limit of its own. Both left empty: the workspace's. */
export function ClientThrottle({ form }: ClientFieldsProps) {
  const throttle = usePage((state) => state.settings?.throttle);
  if (throttle === undefined) return null;
  return (
    <fieldset className={classes.group}>
      <legend>{clientField('throttle').label}</legend>
      <p className={classes.note}>
        Applies to each code or refresh token and address. Leave empty to use the workspace’s
        values.
      </p>
      <div className={classes.pair}>
        <NumberInput
          {...numberField(clientSchema, 'throttle.limit')}
          placeholder={`Workspace: ${throttle.limit}`}
          {...form.getInputProps('throttle.limit')}
        />
        <NumberInput
          {...numberField(clientSchema, 'throttle.window_seconds')}
          placeholder={`Workspace: ${throttle.window_seconds}`}
          {...form.getInputProps('throttle.window_seconds')}
        />
      </div>
    </fieldset>
  );
}
