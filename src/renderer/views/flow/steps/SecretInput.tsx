import { PasswordInput } from '@mantine/core';

interface SecretInputProps {
  readonly value: string;
  readonly onChange: (value: string) => void;
}

/** The client's secret as it will be sent, masked until revealed. */
export function SecretInput({ value, onChange }: SecretInputProps) {
  return (
    <PasswordInput
      label="Client secret"
      value={value}
      autoComplete="off"
      visibilityToggleButtonProps={{ 'aria-label': 'Reveal client secret', tabIndex: 0 }}
      onChange={(event) => onChange(event.currentTarget.value)}
    />
  );
}
