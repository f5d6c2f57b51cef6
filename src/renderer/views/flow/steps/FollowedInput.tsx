import { ActionIcon, TextInput, Tooltip } from '@mantine/core';
import { IconArrowBackUp } from '@tabler/icons-react';

interface FollowedInputProps {
  readonly label: string;
  /** What would be sent now. */
  readonly value: string;
  /** Whether that was typed in, rather than following from the steps before. */
  readonly typed: boolean;
  readonly placeholder?: string;
  /** null: follow the steps before again. */
  readonly onChange: (value: string | null) => void;
}

/** A field that follows from the steps before until something is typed into it. */
export function FollowedInput({ label, value, typed, placeholder, onChange }: FollowedInputProps) {
  const back = (
    <Tooltip label="Use the flow’s value">
      <ActionIcon onClick={() => onChange(null)} aria-label={`${label}: use the flow’s value`}>
        <IconArrowBackUp size="1.1em" />
      </ActionIcon>
    </Tooltip>
  );
  return (
    <TextInput
      label={label}
      value={value}
      spellCheck={false}
      autoComplete="off"
      {...(placeholder === undefined ? {} : { placeholder })}
      {...(typed ? { rightSection: back } : {})}
      onChange={(event) => onChange(event.currentTarget.value)}
    />
  );
}
