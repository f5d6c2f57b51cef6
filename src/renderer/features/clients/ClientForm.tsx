import { useEffect } from 'react';
import type { Client } from '../../../control/schemas.ts';
import { control } from '../../control.ts';
import { mergePatch } from '../../merge-patch.ts';
import { navigate } from '../../route.ts';
import { change, withClient } from '../../state.ts';
import { FormFooter } from '../../ui/FormFooter.tsx';
import { tell } from '../../ui/notify.tsx';
import { useRecordForm } from '../../ui/use-record-form.ts';
import { useUnsavedGuard } from '../../ui/use-unsaved-guard.ts';
import { clientOf, problemsOf, type ClientDraft } from './client-draft.ts';
import classes from './ClientForm.module.css';
import { ClientIdentity } from './ClientIdentity.tsx';
import { ClientTokens } from './ClientTokens.tsx';
import { RedirectUris } from './RedirectUris.tsx';

interface ClientFormProps {
  /** The client being edited; null while one is registered. */
  readonly client: Client | null;
  readonly start: ClientDraft;
}

async function save(client: Client | null, draft: ClientDraft): Promise<void> {
  const wanted = clientOf(draft);
  const saved =
    client === null
      ? await control.clients.create(wanted)
      : await control.clients.update({
          ...mergePatch(client, wanted),
          client_id: client.client_id,
        });
  change((state) => withClient(state, saved));
  tell(`${saved.client_id} is ${client === null ? 'registered' : 'saved'}`);
}

export function ClientForm({ client, start }: ClientFormProps) {
  const { form, busy, submit, element } = useRecordForm<ClientDraft>({
    initial: start,
    validate: problemsOf,
    save: (draft) => save(client, draft),
    failure: 'The client was not saved.',
    onSaved: (draft) => {
      release();
      if (client === null) void navigate('clients', draft.client_id);
    },
  });
  const dirty = form.isDirty();
  const release = useUnsavedGuard(dirty, client?.client_id ?? 'the new client');

  useEffect(() => {
    if (form.isDirty()) return;
    form.setInitialValues(start);
    form.reset();
    // Only a change of the record itself may replace what the form shows.
    // eslint-disable-next-line react-hooks/exhaustive-deps
  }, [client]);

  return (
    <form className={classes.form} onSubmit={submit} ref={element} noValidate>
      <div className={classes.fields}>
        <ClientIdentity form={form} isNew={client === null} />
        <RedirectUris form={form} />
        <ClientTokens form={form} />
      </div>
      <FormFooter
        dirty={dirty}
        busy={busy}
        onDiscard={form.reset}
        {...(client === null ? { calm: 'Not registered yet' } : {})}
      />
    </form>
  );
}
