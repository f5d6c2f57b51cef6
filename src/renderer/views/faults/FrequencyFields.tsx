import { NumberInput, type InputWrapperProps } from '@mantine/core';
import type { RuleFieldsProps } from './rule-fields.ts';
import { faultSchema } from '../../../control/fault-schemas.ts';
import classes from '../../ui/form.module.css';
import { numberField } from '../../ui/number-field.tsx';
import { chanceInWords } from './rule-words.ts';

const BELOW = {
  inputWrapperOrder: ['label', 'input', 'error', 'description'],
} satisfies InputWrapperProps;

function timesWords(times: number | string): string {
  if (times === '') return 'Every match, without limit';
  return times === 1
    ? 'The next match, then the rule is used up'
    : 'That many matches, then the rule is used up';
}

function probabilityWords(probability: number | string): string {
  const value = Number(probability);
  if (probability === '' || value === 1) return 'Every match';
  return value > 0 && value < 1 ? `${chanceInWords(value)} matches` : '0 to 1';
}

/** How many of the matching requests get the fault. */
export function FrequencyFields({ form }: RuleFieldsProps) {
  const { times, probability } = form.getValues();
  const chancy = Number(probability) < 1 && probability !== '';
  return (
    <fieldset className={classes.group}>
      <legend>How often</legend>
      <div className={classes.pair}>
        <NumberInput
          {...numberField(faultSchema, 'times')}
          placeholder="no limit"
          description={timesWords(times)}
          allowDecimal={false}
          thousandSeparator=","
          {...BELOW}
          {...form.getInputProps('times')}
        />
        <NumberInput
          {...numberField(faultSchema, 'probability')}
          placeholder="1"
          description={probabilityWords(probability)}
          step={0.1}
          {...BELOW}
          {...form.getInputProps('probability')}
        />
        <NumberInput
          {...numberField(faultSchema, 'seed')}
          placeholder="1"
          description={
            chancy ? 'The same seed gives the same sequence' : 'Used for a probability below 1'
          }
          allowDecimal={false}
          {...BELOW}
          {...form.getInputProps('seed')}
        />
      </div>
    </fieldset>
  );
}
