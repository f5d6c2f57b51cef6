import { ActionIcon, Button, TextInput, Tooltip } from '@mantine/core';
import { IconPlus, IconTrash } from '@tabler/icons-react';
import { useRowFocus } from '../../ui/record-form.tsx';
import { clientField, type ClientFieldsProps } from './client-fields.ts';
import classes from '../../ui/form.module.css';

interface UriListProps extends ClientFieldsProps {
  readonly field: 'redirect_uris' | 'post_logout_redirect_uris';
  /** What one of them is called: "Redirect URI". */
  readonly name: string;
  readonly placeholder: string;
}

const lower = (name: string) => name.charAt(0).toLowerCase() + name.slice(1);

/** URIs that are compared as they stand, one field each. */
export function UriList({ form, field, name, placeholder }: UriListProps) {
  const uris = form.getValues()[field];
  const { label, help } = clientField(field);
  const { list, add, focusOn } = useRowFocus<HTMLDivElement>(uris.length);
  return (
    <fieldset className={classes.group}>
      <legend>{label}</legend>
      <p className={classes.note}>{help}</p>
      {uris.length > 0 && (
        <div ref={list} className={classes.rows}>
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
                  onClick={() => {
                    focusOn(index);
                    form.removeListItem(field, index);
                  }}
                >
                  <IconTrash size="1.1em" />
                </ActionIcon>
              </Tooltip>
            </div>
          ))}
        </div>
      )}
      <Button
        ref={add}
        className={classes.start}
        leftSection={<IconPlus size="1.1em" aria-hidden="true" />}
        onClick={() => {
          focusOn(uris.length);
          form.insertListItem(field, '');
        }}
      >
        Add {lower(name)}
      </Button>
    </fieldset>
  );
}
