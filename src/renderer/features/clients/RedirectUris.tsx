import { ActionIcon, Button, TextInput, Tooltip } from '@mantine/core';
import { IconPlus, IconTrash } from '@tabler/icons-react';
import type { ClientFieldsProps } from './client-fields.ts';
import classes from '../../ui/form.module.css';

/** Where codes may be sent. */
export function RedirectUris({ form }: ClientFieldsProps) {
  const uris = form.getValues().redirect_uris;
  return (
    <fieldset className={classes.group}>
      <legend>Redirect URIs</legend>
      <p className={classes.note}>
        Compared character by character with the one in the request (RFC 6749 3.1.2.3).
      </p>
      {uris.map((_, index) => (
        <div className={classes.row} key={index}>
          <TextInput
            aria-label={`Redirect URI ${index + 1}`}
            placeholder="https://app.example/callback"
            spellCheck={false}
            classNames={{ input: classes.mono }}
            {...form.getInputProps(`redirect_uris.${index}`)}
          />
          <Tooltip label="Remove">
            <ActionIcon
              aria-label={`Remove redirect URI ${index + 1}`}
              onClick={() => form.removeListItem('redirect_uris', index)}
            >
              <IconTrash size="1.1em" />
            </ActionIcon>
          </Tooltip>
        </div>
      ))}
      <Button
        className={classes.start}
        leftSection={<IconPlus size="1.1em" aria-hidden="true" />}
        onClick={() => form.insertListItem('redirect_uris', '')}
      >
        Add redirect URI
      </Button>
    </fieldset>
  );
}
