import { ActionIcon, Button, TextInput, Tooltip } from '@mantine/core';
import { IconPlus, IconTrash } from '@tabler/icons-react';
import type { ClientFieldsProps } from './client-fields.ts';
import classes from '../../ui/form.module.css';

interface UriListProps extends ClientFieldsProps {
  readonly field: 'redirect_uris' | 'post_logout_redirect_uris';
  readonly title: string;
  /** What one of them is called: "Redirect URI". */
  readonly name: string;
  readonly note: string;
  readonly placeholder: string;
}

const lower = (name: string) => name.charAt(0).toLowerCase() + name.slice(1);

/** URIs that are compared as they stand, one field each. */
export function UriList({ form, field, title, name, note, placeholder }: UriListProps) {
  const uris = form.getValues()[field];
  return (
    <fieldset className={classes.group}>
      <legend>{title}</legend>
      <p className={classes.note}>{note}</p>
      {uris.map((_, index) => (
        <div className={classes.row} key={index}>
          <TextInput
            aria-label={`${name} ${index + 1}`}
            placeholder={placeholder}
            spellCheck={false}
            classNames={{ input: classes.mono }}
            {...form.getInputProps(`${field}.${index}`)}
          />
          <Tooltip label="Remove">
            <ActionIcon
              aria-label={`Remove ${lower(name)} ${index + 1}`}
              onClick={() => form.removeListItem(field, index)}
            >
              <IconTrash size="1.1em" />
            </ActionIcon>
          </Tooltip>
        </div>
      ))}
      <Button
        className={classes.start}
        leftSection={<IconPlus size="1.1em" aria-hidden="true" />}
        onClick={() => form.insertListItem(field, '')}
      >
        Add {lower(name)}
      </Button>
    </fieldset>
  );
}
