import { TextInput } from '@mantine/core';
import { userSchema, type User } from '../../../control/schemas.ts';
import { claimsText, readClaims } from '../../claims-text.ts';
import { control } from '../../control.ts';
import { mergePatch } from '../../merge-patch.ts';
import { change } from '../../state.ts';
import { ClaimsField } from '../../ui/ClaimsField.tsx';
import { tell } from '../../ui/notify.tsx';
import { problemsByField } from '../../ui/problems.ts';
import { useRecordForm } from '../../ui/use-record-form.ts';
import { RecordDialog } from './RecordDialog.tsx';

interface UserDraft extends Record<string, unknown> {
  sub: string;
  name: string;
  email: string;
  claims: string;
}

function userOf(draft: UserDraft): User {
  const read = readClaims(draft.claims);
  return { ...draft, claims: read.ok ? read.claims : {} };
}

function problemsOf(draft: UserDraft) {
  const read = readClaims(draft.claims);
  const errors = problemsByField(userSchema, userOf(draft), ['claims']);
  return read.ok ? errors : { ...errors, claims: read.problem };
}

async function save(user: User | null, draft: UserDraft): Promise<void> {
  const wanted = userOf(draft);
  const saved =
    user === null
      ? await control.users.create(wanted)
      : await control.users.update({ ...mergePatch(user, wanted), sub: user.sub });
  change((state) => ({
    ...state,
    users:
      user === null
        ? [...state.users, saved]
        : state.users.map((other) => (other.sub === saved.sub ? saved : other)),
  }));
  tell(`${saved.sub} is saved`);
}

interface UserDialogProps {
  /** null: a new one. */
  readonly user: User | null;
  readonly onClose: () => void;
}

export function UserDialog({ user, onClose }: UserDialogProps) {
  const { form, busy, submit, element } = useRecordForm<UserDraft>({
    initial: {
      sub: user?.sub ?? '',
      name: user?.name ?? '',
      email: user?.email ?? '',
      claims: claimsText(user?.claims ?? {}),
    },
    validate: problemsOf,
    save: (draft) => save(user, draft),
    failure: 'The user was not saved.',
    onSaved: onClose,
  });
  return (
    <RecordDialog
      title={user === null ? 'Add user' : 'Edit user'}
      dirty={form.isDirty()}
      busy={busy}
      element={element}
      onSubmit={submit}
      onDiscard={form.reset}
      onClose={onClose}
    >
      <TextInput
        label="Subject"
        description="Goes into the sub claim."
        readOnly={user !== null}
        spellCheck={false}
        {...(user === null ? { 'data-autofocus': true } : {})}
        {...form.getInputProps('sub')}
      />
      <TextInput label="Name" {...form.getInputProps('name')} />
      <TextInput label="Email" {...form.getInputProps('email')} />
      <ClaimsField
        description="JSON members added to every access token of this user."
        {...form.getInputProps('claims')}
      />
    </RecordDialog>
  );
}
