import { Checkbox, PasswordInput, TextInput, SimpleGrid } from '@mantine/core';
import type { UseFormReturnType } from '@mantine/form';
import { useState } from 'react';
import { fieldAt, type PathIn } from '../../../control/fields.ts';
import { userSchema, type User } from '../../../control/schemas.ts';
import { patchBetween } from '../../../control/names.ts';
import { control } from '../../connection/control.ts';
import { navigate } from '../../navigation/route.ts';
import { change, withUser } from '../../connection/state.ts';
import { ClaimsField } from '../../ui/JsonField.tsx';
import { notify } from '../../ui/notify.tsx';
import { RecordForm, useRecordForm } from '../../ui/record-form.tsx';
import { useUnsavedGuard } from '../../ui/confirm.tsx';
import { deleteUser } from '../../actions/delete-record.ts';
import { RecordEditor } from '../../ui/RecordEditor.tsx';
import classes from '../../ui/form.module.css';
import {
  type UserDraft,
  draftOf,
  passwordMember,
  problemsOf,
  userOf,
  withoutPassword,
} from './user-draft.ts';

interface PasswordFieldProps {
  readonly form: UseFormReturnType<UserDraft>;
  /** Whether the user has one. The password is never returned. */
  readonly has_password: boolean;
}

/** Sets or removes a password. A saved one is never shown. */
function PasswordField({ form, has_password }: PasswordFieldProps) {
  const removed = form.getValues().without_password;
  return (
    <>
      <PasswordInput
        label={fieldAt(userSchema, 'password').label}
        description={
          has_password
            ? 'A password is set and not shown. Enter a new one to replace it.'
            : 'For the password grant. If a user has none, any password is accepted.'
        }
        placeholder={has_password ? 'Set' : 'None'}
        inputWrapperOrder={['label', 'input', 'error', 'description']}
        classNames={{ innerInput: 'mono' }}
        visibilityToggleButtonProps={{ 'aria-label': 'Reveal password', tabIndex: 0 }}
        autoComplete="new-password"
        disabled={removed}
        {...form.getInputProps('password')}
      />
      {has_password && (
        <Checkbox
          label="Remove the password"
          {...form.getInputProps('without_password', { type: 'checkbox' })}
        />
      )}
    </>
  );
}

interface UserFormProps {
  /** The user being edited; null for a new user. */
  readonly user: User | null;
  readonly start: UserDraft;
}

const userField = (path: PathIn<Omit<User, 'has_password'>>) => fieldAt(userSchema, path);

async function save(user: User | null, draft: UserDraft): Promise<void> {
  const wanted = userOf(draft);
  const password = passwordMember(draft);
  const saved =
    user === null
      ? await control.users.create({ ...wanted, ...password })
      : await control.users.update({
          ...patchBetween(userOf(draftOf(user)), wanted),
          ...password,
          sub: user.sub,
        });
  change((state) => withUser(state, saved));
  notify(`${saved.sub} is ${user === null ? 'added' : 'saved'}`);
}

function UserForm({ user, start }: UserFormProps) {
  const state = useRecordForm<UserDraft>({
    initial: start,
    validate: problemsOf,
    save: (draft) => save(user, draft),
    failure: 'The user was not saved.',
    onSaved: (draft) => {
      form.setInitialValues(withoutPassword(draft));
      form.reset();
      release();
      if (user === null) void navigate('users', draft.sub);
    },
  });
  const { form } = state;
  const release = useUnsavedGuard(form.isDirty(), user?.sub ?? 'the new user');
  return (
    <RecordForm
      state={state}
      record={user}
      start={start}
      {...(user === null ? { calm: 'Not added yet' } : {})}
    >
      <fieldset className={classes.group}>
        <legend>Person</legend>
        <TextInput
          label={userField('sub').label}
          description={
            user === null
              ? 'The sub claim of every token of this user.'
              : 'Cannot be changed later; duplicate the user to choose another.'
          }
          inputWrapperOrder={['label', 'input', 'error', 'description']}
          classNames={{ input: 'mono' }}
          readOnly={user !== null}
          autoFocus={user === null}
          spellCheck={false}
          {...form.getInputProps('sub')}
        />
        <SimpleGrid minColWidth="11rem" autoFlow="auto-fit" spacing="sm">
          <TextInput
            label={userField('name').label}
            placeholder={userField('name').help}
            dir="auto"
            {...form.getInputProps('name')}
          />
          <TextInput
            label={userField('email').label}
            placeholder="ada@example.test"
            spellCheck={false}
            {...form.getInputProps('email')}
          />
        </SimpleGrid>
        <PasswordField form={form} has_password={user?.has_password ?? false} />
      </fieldset>
      <fieldset className={classes.group}>
        <legend>Tokens</legend>
        <ClaimsField
          description="JSON members added to every access token of this user."
          {...form.getInputProps('claims')}
        />
      </fieldset>
    </RecordForm>
  );
}

interface UserEditorProps {
  /** The user being edited; null for a new user. */
  readonly user: User | null;
  /** The initial values of a new user. */
  readonly draft: (() => UserDraft) | null;
}

export function UserEditor({ user, draft }: UserEditorProps) {
  const [initial] = useState(() => draft?.() ?? null);
  const start = user === null ? initial : draftOf(user);
  if (start === null) return null;
  return (
    <RecordEditor
      view="users"
      kind="user"
      name={user?.sub ?? null}
      onDelete={async () => user !== null && (await deleteUser(user))}
    >
      <UserForm user={user} start={start} />
    </RecordEditor>
  );
}
