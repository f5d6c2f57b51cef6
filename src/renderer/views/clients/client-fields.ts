import type { UseFormReturnType } from '@mantine/form';
import type { ClientDraft } from './client-draft.ts';

/** What each group of the client form's fields is handed. */
export interface ClientFieldsProps {
  readonly form: UseFormReturnType<ClientDraft>;
}
