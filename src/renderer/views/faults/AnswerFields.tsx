import { ActionIcon, Button, NumberInput, Textarea, TextInput, Tooltip } from '@mantine/core';
import { IconPlus, IconTrash } from '@tabler/icons-react';
import { faultSchema } from '../../../control/fault-schemas.ts';
import shared from '../../ui/form.module.css';
import { numberField } from '../../ui/number-field.tsx';
import { useRowFocus } from '../../ui/record-form.tsx';
import type { RuleFieldsProps } from './rule-fields.ts';
import classes from './Answer.module.css';

const MONO = { classNames: { input: shared.mono }, spellCheck: false } as const;

interface HeaderRowProps extends RuleFieldsProps {
  readonly index: number;
  readonly onRemove: () => void;
}

function HeaderRow({ form, index, onRemove }: HeaderRowProps) {
  const at = `effect.headers.${index}` as const;
  return (
    <div className={classes.header}>
      <TextInput
        aria-label={`Name of header ${index + 1}`}
        placeholder="Retry-After"
        {...MONO}
        {...form.getInputProps(`${at}.0`)}
      />
      <TextInput
        aria-label={`Value of header ${index + 1}`}
        placeholder="1"
        {...MONO}
        {...form.getInputProps(`${at}.1`)}
      />
      <Tooltip label="Remove">
        <ActionIcon aria-label={`Remove header ${index + 1}`} onClick={onRemove}>
          <IconTrash size="1.1em" />
        </ActionIcon>
      </Tooltip>
    </div>
  );
}

/** A scripted answer, sent as it stands here. */
export function AnswerFields({ form }: RuleFieldsProps) {
  const { headers } = form.getValues().effect;
  const { list, add, focusOn } = useRowFocus<HTMLDivElement>(headers.length);
  return (
    <>
      <NumberInput
        {...numberField(faultSchema, 'effect.status')}
        allowDecimal={false}
        {...form.getInputProps('effect.status')}
      />
      <div className={classes.headers} role="group" aria-label="Headers">
        <span className={classes.label}>Headers</span>
        {headers.length > 0 && (
          <div ref={list} className={shared.rows}>
            {headers.map((_, index) => (
              <HeaderRow
                key={index}
                form={form}
                index={index}
                onRemove={() => {
                  focusOn(index);
                  form.removeListItem('effect.headers', index);
                }}
              />
            ))}
          </div>
        )}
        <Button
          ref={add}
          className={shared.start}
          leftSection={<IconPlus size="1.1em" aria-hidden="true" />}
          onClick={() => {
            focusOn(headers.length);
            form.insertListItem('effect.headers', ['', '']);
          }}
        >
          Add header
        </Button>
      </div>
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
