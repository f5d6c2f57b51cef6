import { ActionIcon, TextInput, Tooltip } from '@mantine/core';
import { IconEye, IconEyeOff, IconRefresh } from '@tabler/icons-react';
import { useState } from 'react';
import { newSecret } from '../../ui/random.ts';
import { CopyButton } from '../../ui/CopyButton.tsx';
import { clientField, type ClientFieldsProps } from './client-fields.ts';
import classes from '../../ui/form.module.css';
import secret from './SecretField.module.css';

/** The secret, masked until revealed. */
export function SecretField({ form }: ClientFieldsProps) {
  const [shown, setShown] = useState(false);
  const reveal = shown ? 'Hide secret' : 'Reveal secret';
  const generate = () => form.setFieldValue('client_secret', newSecret());
  return (
    <div className={secret.row}>
      <TextInput
        label={clientField('client_secret').label}
        type={shown ? 'text' : 'password'}
        autoComplete="off"
        spellCheck={false}
        classNames={{ input: classes.mono }}
        {...form.getInputProps('client_secret')}
      />
      <span className={secret.actions}>
        <Tooltip label={reveal}>
          <ActionIcon aria-label={reveal} aria-pressed={shown} onClick={() => setShown(!shown)}>
            {shown ? <IconEyeOff size="1.1em" /> : <IconEye size="1.1em" />}
          </ActionIcon>
        </Tooltip>
        <Tooltip label="Generate secret">
          <ActionIcon aria-label="Generate secret" onClick={generate}>
            <IconRefresh size="1.1em" />
          </ActionIcon>
        </Tooltip>
        <CopyButton value={form.getValues().client_secret} label="Copy secret" />
      </span>
    </div>
  );
}
