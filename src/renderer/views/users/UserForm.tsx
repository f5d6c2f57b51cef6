import { TextInput } from '@mantine/core';
import { fieldAt, type PathIn } from '../../../control/fields.ts';
import { userSchema, type User } from '../../../control/schemas.ts';
import { patchBetween } from '../../../control/names.ts';
import { control } from '../../connection/control.ts';
import { navigate } from '../../navigation/route.ts';
import { change, withUser } from '../../connection/state.ts';
import { ClaimsField } from '../../ui/JsonField.tsx';
import classes from '../../ui/form.module.css';
import { notify } from '../../ui/notify.tsx';
import { RecordForm, useRecordForm } from '../../ui/record-form.tsx';
import { useUnsavedGuard } from '../../ui/confirm.tsx';
import { PasswordField } from './PasswordField.tsx';
import {
  draftOf,
  passwordMember,
  problemsOf,
  userOf,
  withoutPassword,
  type UserDraft,
} from './user-draft.ts';

interface UserFormProps {
  /** The user being edited; null while one is added. */
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

export function UserForm({ user, start }: UserFormProps) {
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
          classNames={{ input: classes.mono }}
          readOnly={user !== null}
          autoFocus={user === null}
          spellCheck={false}
          {...form.getInputProps('sub')}
        />
        <div className={classes.pair}>
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
        </div>
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
