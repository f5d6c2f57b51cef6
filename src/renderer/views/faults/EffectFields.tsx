import {
  NumberInput,
  type NumberInputProps,
  Textarea,
  TextInput,
  Input,
  SegmentedControl,
  Select,
  Group,
  Stack,
  Text,
} from '@mantine/core';
import type { ReactNode } from 'react';
import { faultSchema, type Fault } from '../../../control/fault-schemas.ts';
import { fieldAt, type PathIn } from '../../../control/fields.ts';
import { BELOW, choicesOf, memberProps, MONO } from '../../ui/field-props.ts';
import { ItemRows } from '../../ui/record-form.tsx';
import shared from '../../ui/form.module.css';
import { type RuleFieldsProps, altersResponse } from './fault-draft.ts';
import { delayWords } from './rule-words.ts';
import { Hint } from '../../ui/panel.tsx';
import { numberField } from '../../ui/number-field.tsx';

interface RuleNumberProps extends RuleFieldsProps, Omit<NumberInputProps, 'form'> {
  readonly path: PathIn<Fault>;
}

/** A number of the rule: whole, unless said otherwise. */
export const RuleNumber = ({ form, path, ...input }: RuleNumberProps) => (
  <NumberInput
    {...numberField(faultSchema, path)}
    allowDecimal={false}
    {...BELOW}
    {...input}
    {...form.getInputProps(path)}
  />
);

/** A scripted response, sent exactly as it is written here. */
function AnswerFields({ form }: RuleFieldsProps) {
  return (
    <>
      <RuleNumber form={form} path="effect.status" />
      <Stack gap={6} role="group" aria-label="Headers">
        <Text span size="xs" fw="var(--w-medium)">
          Headers
        </Text>
        <ItemRows
          form={form}
          path="effect.headers"
          items={form.getValues().effect.headers}
          what="header"
          blank={['', '']}
        >
          {(index, remove) => (
            <Group gap={4} wrap="nowrap" align="flex-start">
              <TextInput
                flex={2}
                aria-label={`Name of header ${index + 1}`}
                placeholder="Retry-After"
                {...MONO}
                {...form.getInputProps(`effect.headers.${index}.0`)}
              />
              <TextInput
                flex={3}
                aria-label={`Value of header ${index + 1}`}
                placeholder="1"
                {...MONO}
                {...form.getInputProps(`effect.headers.${index}.1`)}
              />
              {remove}
            </Group>
          )}
        </ItemRows>
      </Stack>
      <Textarea
        label="Body"
        autosize
        minRows={3}
        maxRows={12}
        {...MONO}
        {...form.getInputProps('effect.body')}
      />
    </>
  );
}

const EFFECT = fieldAt(faultSchema, 'effect');
const WHEN = fieldAt(faultSchema, 'when');
const ODD = fieldAt(faultSchema, 'effect.as');

const inWords = (ms: number | string) => (ms === '' ? null : delayWords(Number(ms)));

function EditsField({
  form,
  name,
}: RuleFieldsProps & { readonly name: 'edits' | 'claims' | 'header' }) {
  return (
    <Textarea
      label={`${fieldAt(faultSchema, `effect.${name}`).label} (JSON)`}
      description={EDIT_OPERATIONS}
      autosize
      minRows={3}
      maxRows={12}
      {...MONO}
      {...form.getInputProps(`effect.${name}`)}
    />
  );
}

const EDIT_OPERATIONS =
  'do: set, remove, append, add, list, from_now, swap_case or to_text. member: a name, or a JSON Pointer such as /keys/0/kid.';

function KindFields({ form }: RuleFieldsProps): ReactNode {
  const { effect } = form.getValues();
  switch (effect.kind) {
    case 'answer':
      return <AnswerFields form={form} />;
    case 'cut':
      return (
        <RuleNumber
          form={form}
          path="effect.after_bytes"
          placeholder="half of the body"
          thousandSeparator=","
        />
      );
    case 'dribble':
      return (
        <RuleNumber
          form={form}
          path="effect.duration_ms"
          placeholder="10000"
          description={inWords(effect.duration_ms)}
        />
      );
    case 'wrong_content_type':
      return <TextInput {...MONO} {...memberProps(faultSchema, form, 'effect.content_type')} />;
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
    case 'edit_json':
    case 'edit_authorization_response':
      return <EditsField form={form} name="edits" />;
    case 'edit_id_token':
      return (
        <>
          <EditsField form={form} name="claims" />
          <EditsField form={form} name="header" />
          <Select
            data={choicesOf(fieldAt(faultSchema, 'effect.sign'))}
            {...memberProps(faultSchema, form, 'effect.sign')}
          />
        </>
      );
    default:
      return null;
  }
}

function whenNote(when: string, altered: boolean): string {
  if (altered)
    return 'This changes a normal response, so the request is evaluated first: its code or token is consumed.';
  return when === 'instead'
    ? 'The request is not evaluated: no code or token is consumed.'
    : 'The request is evaluated as usual, but the client gets a different response.';
}

export function EffectFields({ form }: RuleFieldsProps) {
  const { effect, when } = form.getValues();
  const altered = altersResponse(effect.kind);
  return (
    <fieldset className={shared.group}>
      <legend>What happens</legend>
      <Select
        label={EFFECT.label}
        data={choicesOf(EFFECT)}
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
        <Hint mt={4}>{whenNote(when, altered)}</Hint>
      </Input.Wrapper>
      <KindFields form={form} />
      <RuleNumber
        form={form}
        path="delay_ms"
        placeholder="0"
        description={
          effect.kind === 'drop'
            ? 'Machine time before the connection is closed'
            : 'Machine time before anything is sent'
        }
        thousandSeparator=","
      />
    </fieldset>
  );
}
