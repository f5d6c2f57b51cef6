import type { TextareaProps } from '@mantine/core';
import { JsonField } from './JsonField.tsx';

/** Custom claims as JSON. */
export function ClaimsField(props: TextareaProps) {
  return <JsonField label="Custom claims" placeholder={'{\n  "role": "admin"\n}'} {...props} />;
}
