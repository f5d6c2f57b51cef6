import { Input, NumberInput, SegmentedControl } from '@mantine/core';
import { THROTTLE_MODES, type Settings } from '../../../control/schemas.ts';
import { useSetting, useTypedSetting } from '../../actions/use-setting.ts';
import classes from './Throttling.module.css';

type Mode = Settings['throttle']['mode'];

const WORDS: Record<Mode, string> = {
  off: 'Nothing is counted, and no rate headers are sent.',
  observe: 'Requests are counted and the headers sent, but nothing is ever refused.',
  enforce: 'A request over the limit is answered 429 with Retry-After.',
};

interface LimitFieldProps {
  readonly label: string;
  readonly suffix: string;
  readonly setting: ReturnType<typeof useTypedSetting>;
}

const LimitField = ({ label, suffix, setting }: LimitFieldProps) => (
  <NumberInput
    {...setting.field}
    label={label}
    suffix={suffix}
    thousandSeparator=","
    allowDecimal={false}
    allowNegative={false}
    onChange={setting.setTyped}
  />
);

/** The limit as it is in force, changed in place. */
export function ThrottleSettings({ throttle }: { readonly throttle: Settings['throttle'] }) {
  const mode = useSetting('throttle.mode');
  const limit = useTypedSetting('throttle.limit', Number);
  const window = useTypedSetting('throttle.window_seconds', Number);
  return (
    <section className={classes.settings} aria-label="Limit">
      <div className={classes.fields}>
        <Input.Wrapper label="Mode" labelElement="div" error={mode.error}>
          <SegmentedControl
            aria-label="Mode"
            value={throttle.mode}
            onChange={(chosen) => void mode.commit(chosen)}
            data={THROTTLE_MODES.map((value) => ({ value, label: value }))}
          />
        </Input.Wrapper>
        <LimitField label="Limit" suffix=" requests" setting={limit} />
        <LimitField label="Window" suffix=" s" setting={window} />
        <span className={classes.saved} role="status">
          {(limit.saved || window.saved) && 'In force now'}
        </span>
      </div>
      <p className={classes.how}>
        {WORDS[throttle.mode]} Counted is each code or refresh token per client IP, once client and
        required fields have passed, in a fixed window that opens with the first request counted. A
        client may have a limit of its own, in its record.{' '}
        <span className={classes.ref}>behaviour 5, spec 8.1</span>
      </p>
    </section>
  );
}
