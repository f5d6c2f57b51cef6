import { SegmentedControl } from '@mantine/core';
import type { BodyFormat } from '../../../../oauth/fields.ts';
import { Cited } from '../../../ui/citation/Cited.tsx';
import classes from './Steps.module.css';

const DATA = [
  { value: 'json', label: 'JSON' },
  { value: 'form', label: 'Form' },
] as const;

interface FormatSwitchProps {
  readonly value: BodyFormat;
  /** Which one the specification documents for this grant. */
  readonly documented: BodyFormat;
  readonly onChange: (value: BodyFormat) => void;
}

export function FormatSwitch({ value, documented, onChange }: FormatSwitchProps) {
  const rule = documented === 'json' ? 'JSON (spec 4.1.1)' : 'a form (spec 4.1.2)';
  return (
    <div>
      <SegmentedControl
        fullWidth
        aria-label="Body"
        value={value}
        onChange={onChange}
        data={[...DATA]}
      />
      {value !== documented && (
        <p className={classes.remark}>
          <Cited
            text={`The specification documents ${rule} for this grant. Strict rejects other formats.`}
          />
        </p>
      )}
    </div>
  );
}
