import type { Client } from '../../../control/schemas.ts';
import { control } from '../../connection/control.ts';
import { mergePatch } from '../../ui/merge-patch.ts';
import { navigate } from '../../navigation/route.ts';
import { change, withClient } from '../../connection/state.ts';
import { notify } from '../../ui/notify.tsx';
import { RecordForm } from '../../ui/RecordForm.tsx';
import { useRecordForm } from '../../ui/use-record-form.ts';
import { useUnsavedGuard } from '../../ui/use-unsaved-guard.ts';
import { clientOf, problemsOf, type ClientDraft } from './client-draft.ts';
import { ClientIdentity } from './ClientIdentity.tsx';
import { ClientThrottle } from './ClientThrottle.tsx';
import { ClientTokens } from './ClientTokens.tsx';
import { UriList } from './UriList.tsx';

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
  notify(`${saved.client_id} is ${client === null ? 'registered' : 'saved'}`);
}

export function ClientForm({ client, start }: ClientFormProps) {
  const state = useRecordForm<ClientDraft>({
    initial: start,
    validate: problemsOf,
    save: (draft) => save(client, draft),
    failure: 'The client was not saved.',
    onSaved: (draft) => {
      release();
      if (client === null) void navigate('clients', draft.client_id);
    },
  });
  const { form } = state;
  const release = useUnsavedGuard(form.isDirty(), client?.client_id ?? 'the new client');
  return (
    <RecordForm
      state={state}
      record={client}
      start={start}
      {...(client === null ? { calm: 'Not registered yet' } : {})}
    >
      <ClientIdentity form={form} isNew={client === null} />
      <UriList
        form={form}
        field="redirect_uris"
        name="Redirect URI"
        placeholder="https://app.example/callback"
      />
      <UriList
        form={form}
        field="post_logout_redirect_uris"
        name="Logout URI"
        placeholder="https://app.example/goodbye"
      />
      <ClientTokens form={form} />
      <ClientThrottle form={form} />
    </RecordForm>
  );
}
