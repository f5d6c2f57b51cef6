import { wordsIn } from '../../../words.ts';
import { Textarea, TextInput } from '@mantine/core';
import { fieldAt } from '../../../control/fields.ts';
import { audienceSchema, type Audience } from '../../../control/schemas.ts';
import { patchBetween } from '../../../control/names.ts';
import { control } from '../../connection/control.ts';
import { usePage } from '../../connection/state.ts';
import { memberProps } from '../../ui/field-props.ts';
import { notify } from '../../ui/notify.tsx';
import { problemsByField } from '../../ui/problems.ts';
import { deleteAudience } from '../../actions/delete-record.ts';
import { RecordsSection } from './RecordsSection.tsx';

const draftOf = (audience: Audience | null) => ({
  uri: audience?.uri ?? '',
  name: audience?.name ?? '',
  scopes: audience?.scopes.join(' ') ?? '',
});

type AudienceDraft = ReturnType<typeof draftOf>;

const audienceOf = (draft: AudienceDraft): Audience => ({
  uri: draft.uri.trim(),
  name: draft.name,
  scopes: wordsIn(draft.scopes),
});

async function save(audience: Audience | null, draft: AudienceDraft): Promise<void> {
  const wanted = audienceOf(draft);
  const saved =
    audience === null
      ? await control.audiences.create(wanted)
      : await control.audiences.update({ ...patchBetween(audience, wanted), uri: audience.uri });
  notify(`${saved.name === '' ? saved.uri : saved.name} is saved`);
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
      dialogTitle={(audience) => (audience === null ? 'Add audience' : 'Edit audience')}
      schema={audienceSchema}
      draftOf={draftOf}
      validate={(draft) => problemsByField(audienceSchema, audienceOf(draft), ['scopes'])}
      save={save}
      failure="The audience was not saved."
      fields={(form, isNew) => (
        <>
          <TextInput
            placeholder="https://orders.example/api"
            description="The value of the aud claim, compared character by character."
            readOnly={!isNew}
            spellCheck={false}
            data-autofocus={isNew || undefined}
            {...memberProps(audienceSchema, form, 'uri')}
          />
          <TextInput
            placeholder={fieldAt(audienceSchema, 'name').help}
            {...memberProps(audienceSchema, form, 'name')}
          />
          <Textarea
            description="Separated by spaces; openid, profile, email, address, phone and offline_access are always available."
            autosize
            minRows={2}
            spellCheck={false}
            {...memberProps(audienceSchema, form, 'scopes')}
          />
        </>
      )}
    />
  );
}
