// What the fields of the client form have in common.

import type { UseFormReturnType } from '@mantine/form';
import { fieldAt, type Field, type PathIn } from '../../../control/fields.ts';
import { clientSchema, type Client } from '../../../control/schemas.ts';
import type { ClientDraft } from './client-draft.ts';

/** What each group of the client form's fields is handed. */
export interface ClientFieldsProps {
  readonly form: UseFormReturnType<ClientDraft>;
}

/** What the schema says of a member of the client. */
export const clientField = (path: PathIn<Client>): Field => fieldAt(clientSchema, path);

/** The values of a member, each under what it means. */
export const valuesOf = (path: PathIn<Client>) =>
  Object.entries(clientField(path).values).map(([value, label]) => ({ value, label }));
