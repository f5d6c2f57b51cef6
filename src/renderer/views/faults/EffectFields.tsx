import {
  Input,
  NumberInput,
  SegmentedControl,
  Select,
  TextInput,
  type InputWrapperProps,
} from '@mantine/core';
import type { ReactNode } from 'react';
import { faultSchema } from '../../../control/fault-schemas.ts';
import { fieldAt, type Field } from '../../../control/fields.ts';
import { numberField } from '../../ui/number-field.tsx';
import { AnswerFields } from './AnswerFields.tsx';
import { altersResponse } from './fault-draft.ts';
import type { RuleFieldsProps } from './rule-fields.ts';
import classes from '../../ui/form.module.css';
import own from './Effect.module.css';
import { delayWords } from './rule-words.ts';

const EFFECT = fieldAt(faultSchema, 'effect');
const WHEN = fieldAt(faultSchema, 'when');
const ODD = fieldAt(faultSchema, 'effect.as');

const choicesOf = ({ values }: Field) =>
  Object.entries(values).map(([value, label]) => ({ value, label }));

const BELOW = {
  inputWrapperOrder: ['label', 'input', 'error', 'description'],
} satisfies InputWrapperProps;

const inWords = (ms: number | string) => (ms === '' ? null : delayWords(Number(ms)));

function KindFields({ form }: RuleFieldsProps): ReactNode {
  const { effect } = form.getValues();
  switch (effect.kind) {
    case 'answer':
      return <AnswerFields form={form} />;
    case 'cut':
      return (
        <NumberInput
          {...numberField(faultSchema, 'effect.after_bytes')}
          placeholder="half of the body"
          allowDecimal={false}
          thousandSeparator=","
          {...form.getInputProps('effect.after_bytes')}
        />
      );
    case 'dribble':
      return (
        <NumberInput
          {...numberField(faultSchema, 'effect.duration_ms')}
          placeholder="10000"
          description={inWords(effect.duration_ms)}
          allowDecimal={false}
          {...BELOW}
          {...form.getInputProps('effect.duration_ms')}
        />
      );
    case 'wrong_content_type':
      return (
        <TextInput
          label={fieldAt(faultSchema, 'effect.content_type').label}
          spellCheck={false}
          classNames={{ input: classes.mono }}
          {...form.getInputProps('effect.content_type')}
        />
      );
    case 'expires_in':
      return (
        <Input.Wrapper label={ODD.label} labelElement="div">
          <SegmentedControl
            fullWidth
            aria-label={ODD.label}
            data={choicesOf(ODD)}
            {...form.getInputProps('effect.as')}
          />
        </Input.Wrapper>
      );
    default:
      return null;
  }
}

function whenNote(when: string, altered: boolean): string {
  if (altered)
    return 'This changes a normal response, so the request is processed first: its code or token is consumed.';
  return when === 'instead'
    ? 'The request is not validated: no code or token is consumed.'
    : 'The request is processed as usual, but the client gets a different response.';
}

/** What happens to a request that the rule matches. */
export function EffectFields({ form }: RuleFieldsProps) {
  const { effect, when } = form.getValues();
  const altered = altersResponse(effect.kind);
  return (
    <fieldset className={classes.group}>
      <legend>What happens</legend>
      <Select
        label={EFFECT.label}
        data={choicesOf(EFFECT)}
        allowDeselect={false}
        {...form.getInputProps('effect.kind')}
      />
      <Input.Wrapper label={WHEN.label} labelElement="div">
        <SegmentedControl
          fullWidth
          aria-label={WHEN.label}
          data={choicesOf(WHEN)}
          disabled={altered}
          {...form.getInputProps('when')}
          value={altered ? 'after' : when}
        />
        <p className={own.said}>{whenNote(when, altered)}</p>
      </Input.Wrapper>
      <KindFields form={form} />
      <NumberInput
        {...numberField(faultSchema, 'delay_ms')}
        placeholder="0"
        description={
          effect.kind === 'drop'
            ? 'Machine time before the connection is closed'
            : 'Machine time before anything is sent'
        }
        allowDecimal={false}
        thousandSeparator=","
        {...BELOW}
        {...form.getInputProps('delay_ms')}
      />
    </fieldset>
  );
}
