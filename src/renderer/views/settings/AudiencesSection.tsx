import { wordsIn } from '../../../words.ts';
import { Textarea, TextInput } from '@mantine/core';
import { fieldAt, type PathIn } from '../../../control/fields.ts';
import { audienceSchema, type Audience } from '../../../control/schemas.ts';
import { control } from '../../connection/control.ts';
import { change, usePage } from '../../connection/state.ts';
import { notify } from '../../ui/notify.tsx';
import { problemsByField } from '../../ui/problems.ts';
import { RecordDialog, useRecordForm } from '../../ui/record-form.tsx';
import { deleteAudience } from '../../actions/delete-record.ts';
import { RecordsSection } from './RecordsSection.tsx';

interface AudienceDraft extends Record<string, unknown> {
  uri: string;
  name: string;
  scopes: string;
}

const audienceOf = (draft: AudienceDraft): Audience => ({
  uri: draft.uri.trim(),
  name: draft.name,
  scopes: wordsIn(draft.scopes),
});

const audienceField = (path: PathIn<Audience>) => fieldAt(audienceSchema, path);

async function save(audience: Audience | null, draft: AudienceDraft): Promise<void> {
  const wanted = audienceOf(draft);
  const saved =
    audience === null
      ? await control.audiences.create(wanted)
      : await control.audiences.update(wanted);
  const others = (known: readonly Audience[]) => known.filter(({ uri }) => uri !== saved.uri);
  change((state) => ({ ...state, audiences: [saved, ...others(state.audiences)] }));
  notify(`${saved.name === '' ? saved.uri : saved.name} is saved`);
}

interface AudienceDialogProps {
  /** null for a new audience. */
  readonly audience: Audience | null;
  readonly onClose: () => void;
}

function AudienceDialog({ audience, onClose }: AudienceDialogProps) {
  const state = useRecordForm<AudienceDraft>({
    initial: {
      uri: audience?.uri ?? '',
      name: audience?.name ?? '',
      scopes: audience?.scopes.join(' ') ?? '',
    },
    validate: (draft) => problemsByField(audienceSchema, audienceOf(draft), ['scopes']),
    save: (draft) => save(audience, draft),
    failure: 'The audience was not saved.',
    onSaved: onClose,
  });
  const { form } = state;
  return (
    <RecordDialog
      title={audience === null ? 'Add audience' : 'Edit audience'}
      state={state}
      onClose={onClose}
    >
      <TextInput
        label={audienceField('uri').label}
        placeholder="https://orders.example/api"
        description="The value of the aud claim, compared character by character."
        readOnly={audience !== null}
        spellCheck={false}
        {...(audience === null ? { 'data-autofocus': true } : {})}
        {...form.getInputProps('uri')}
      />
      <TextInput
        label={audienceField('name').label}
        placeholder={audienceField('name').help}
        {...form.getInputProps('name')}
      />
      <Textarea
        label={audienceField('scopes').label}
        description="Separated by spaces; openid, profile, email, address, phone and offline_access are always available."
        autosize
        minRows={2}
        spellCheck={false}
        {...form.getInputProps('scopes')}
      />
    </RecordDialog>
  );
}

export function AudiencesSection() {
  const audiences = usePage((state) => state.audiences);
  return (
    <RecordsSection
      title="Audiences"
      about="APIs elsewhere that tokens are issued for, and their scopes. The issuer and the protected APIs are always audiences."
      add="Add audience"
      empty="No audiences besides the issuer. Add the address of the API your app calls."
      heads={['Name', 'URI', 'Scopes']}
      records={audiences}
      nameOf={({ uri }) => uri}
      cells={({ uri, name, scopes }) => [name, uri, scopes.join(' ')]}
      onDelete={deleteAudience}
      dialog={(audience, onClose) => <AudienceDialog audience={audience} onClose={onClose} />}
    />
  );
}
