import { Text, TextInput } from '@mantine/core';
import { IconSearch } from '@tabler/icons-react';

interface FilterFieldProps {
  /** The filtered records: "clients". */
  readonly what: string;
  readonly text: string;
  readonly onText: (text: string) => void;
}

export function FilterField({ what, text, onText }: FilterFieldProps) {
  return (
    <TextInput
      data-find
      w="clamp(80px, 11vw, 200px)"
      aria-label={`Filter ${what}`}
      placeholder="Filter"
      leftSection={<IconSearch size="1.1em" aria-hidden="true" />}
      spellCheck={false}
      value={text}
      onChange={(event) => onText(event.currentTarget.value)}
      onKeyDown={(event) => {
        if (event.key === 'Escape') onText('');
      }}
    />
  );
}

export function NoMatch({ what, text }: Omit<FilterFieldProps, 'onText'>) {
  return (
    <Text p="md" c="dimmed" role="status">
      No {what} match “{text.trim()}”.
    </Text>
  );
}
