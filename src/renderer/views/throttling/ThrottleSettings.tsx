import { Input, NumberInput, SegmentedControl } from '@mantine/core';
import { fieldAt } from '../../../control/fields.ts';
import { settingsSchema, type Settings } from '../../../control/schemas.ts';
import { THROTTLE_MODES } from '../../../control/names.ts';
import { useSetting, useTypedSetting } from '../../actions/use-setting.ts';
import { numberField } from '../../ui/number-field.tsx';
import { Cited } from '../../ui/links.tsx';
import classes from './Throttling.module.css';
import { useObstacle } from '../../connection/reach.ts';

const MODE = fieldAt(settingsSchema, 'throttle.mode');
const LIMIT = numberField(settingsSchema, 'throttle.limit');
const WINDOW = numberField(settingsSchema, 'throttle.window_seconds');

interface LimitFieldProps {
  readonly about: ReturnType<typeof numberField>;
  readonly suffix: string;
  readonly setting: ReturnType<typeof useTypedSetting>;
}

const LimitField = ({ about, suffix, setting }: LimitFieldProps) => (
  <NumberInput
    {...about}
    {...setting.field}
    suffix={suffix}
    thousandSeparator=","
    allowDecimal={false}
    onChange={setting.setTyped}
  />
);

/** The limit as it is in force, changed in place. */
export function ThrottleSettings({ throttle }: { readonly throttle: Settings['throttle'] }) {
  const disabled = useObstacle('connection') !== null;
  const mode = useSetting('throttle.mode');
  const limit = useTypedSetting('throttle.limit', Number);
  const window = useTypedSetting('throttle.window_seconds', Number);
  return (
    <section className={classes.settings} aria-label="Limit">
      <div className={classes.fields}>
        <Input.Wrapper label={MODE.label} labelElement="div" error={mode.error}>
          <SegmentedControl
            aria-label={MODE.label}
            value={throttle.mode}
            disabled={disabled}
            onChange={(chosen) => void mode.commit(chosen)}
            data={THROTTLE_MODES.map((value) => ({ value, label: value }))}
          />
        </Input.Wrapper>
        <LimitField about={LIMIT} suffix=" requests" setting={limit} />
        <LimitField about={WINDOW} suffix=" s" setting={window} />
        <span className={classes.saved} role="status">
          {(limit.saved || window.saved) && 'Saved'}
        </span>
      </div>
      <p className={classes.how}>
        {MODE.values[throttle.mode]} Requests are counted for each code or refresh token and client
        IP, after the client and the required fields are checked, in a fixed window that starts with
        the first counted request. A client can have its own limit in its settings.{' '}
        <span className={classes.ref}>
          <Cited text="behaviour 5.1, spec 8.1" />
        </span>
      </p>
    </section>
  );
}
