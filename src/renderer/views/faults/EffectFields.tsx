import {
  Input,
  NumberInput,
  SegmentedControl,
  Select,
  TextInput,
  type InputWrapperProps,
} from '@mantine/core';
import type { ReactNode } from 'react';
import { AnswerFields } from './AnswerFields.tsx';
import { bendsTruth, type EffectKind } from './fault-draft.ts';
import type { RuleFieldsProps } from './rule-fields.ts';
import classes from '../../ui/form.module.css';
import own from './Effect.module.css';
import { delayWords } from './rule-words.ts';

const KIND_NAMES: Record<EffectKind, string> = {
  answer: 'Send a scripted answer',
  drop: 'Close the connection without an answer',
  truth: 'Send the true answer, late by the delay',
  cut: 'Close the connection within the body',
  dribble: 'Send the body in small pieces',
  broken_json: 'Leave the end of the JSON out',
  wrong_content_type: 'Send another content type',
  expires_in: 'Make expires_in odd',
  expired_token: 'Send tokens that have expired',
  unpublished_key: 'Sign tokens with an unpublished key',
};

const KINDS = (Object.keys(KIND_NAMES) as EffectKind[]).map((value) => ({
  value,
  label: KIND_NAMES[value],
}));

const WHENS = [
  { value: 'instead', label: 'Instead of judging' },
  { value: 'after', label: 'After judging' },
];

const ODD = [
  { value: 'absent', label: 'Absent' },
  { value: 'negative', label: 'Negative' },
  { value: 'huge', label: 'Huge' },
  { value: 'string', label: 'A string' },
];

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
          label="After bytes"
          placeholder="half of the body"
          allowDecimal={false}
          allowNegative={false}
          thousandSeparator=","
          {...form.getInputProps('effect.after_bytes')}
        />
      );
    case 'dribble':
      return (
        <NumberInput
          label="Over milliseconds"
          placeholder="10000"
          description={inWords(effect.duration_ms)}
          allowDecimal={false}
          allowNegative={false}
          {...BELOW}
          {...form.getInputProps('effect.duration_ms')}
        />
      );
    case 'wrong_content_type':
      return (
        <TextInput
          label="Content type"
          spellCheck={false}
          classNames={{ input: classes.mono }}
          {...form.getInputProps('effect.content_type')}
        />
      );
    case 'expires_in':
      return (
        <Input.Wrapper label="expires_in is" labelElement="div">
          <SegmentedControl
            fullWidth
            aria-label="expires_in is"
            data={ODD}
            {...form.getInputProps('effect.as')}
          />
        </Input.Wrapper>
      );
    default:
      return null;
  }
}

function whenNote(when: string, bent: boolean): string {
  if (bent) return 'This bends a true answer, so the request is judged and consumed first.';
  return when === 'instead'
    ? 'The request is never judged: no code or token is consumed.'
    : 'The request is judged and consumed truthfully; the client hears something else.';
}

/** What happens to a request that the rule takes. */
export function EffectFields({ form }: RuleFieldsProps) {
  const { effect, when } = form.getValues();
  const bent = bendsTruth(effect.kind);
  return (
    <fieldset className={classes.group}>
      <legend>What happens</legend>
      <Select
        label="Effect"
        data={KINDS}
        allowDeselect={false}
        {...form.getInputProps('effect.kind')}
      />
      <Input.Wrapper label="When" labelElement="div">
        <SegmentedControl
          fullWidth
          aria-label="When"
          data={WHENS}
          disabled={bent}
          {...form.getInputProps('when')}
          value={bent ? 'after' : when}
        />
        <p className={own.said}>{whenNote(when, bent)}</p>
      </Input.Wrapper>
      <KindFields form={form} />
      <NumberInput
        label="Delay in milliseconds"
        placeholder="0"
        description={
          effect.kind === 'drop'
            ? 'Machine time before the connection is closed'
            : 'Machine time before anything is sent'
        }
        allowDecimal={false}
        allowNegative={false}
        thousandSeparator=","
        {...BELOW}
        {...form.getInputProps('delay_ms')}
      />
    </fieldset>
  );
}
