// The table of users and the form for one. Labels come from the schema of a user; the service validates what is saved.

import { Checkbox, Group, PasswordInput, TextInput } from '@mantine/core';
import type { FormErrors, UseFormReturnType } from '@mantine/form';
import { IconUser } from '@tabler/icons-react';
import { fieldAt } from '../../../control/fields.ts';
import { patchBetween } from '../../../control/names.ts';
import { type User, userSchema } from '../../../control/schemas.ts';
import { deleteUser } from '../../actions/delete-record.ts';
import { attempt } from '../../actions/sandbox.ts';
import { control } from '../../connection/control.ts';
import { page, usePage, change, withUser } from '../../connection/state.ts';
import type { ViewProps } from '../../navigation/route.ts';
import { BELOW, memberProps, MONO } from '../../ui/field-props.ts';
import classes from '../../ui/form.module.css';
import { RecordsView } from '../../ui/grid/RecordsView.tsx';
import table from '../../ui/grid/table.module.css';
import { ClaimsField } from '../../ui/JsonField.tsx';
import { notify } from '../../ui/notify.tsx';
import { Hint } from '../../ui/panel.tsx';
import { FieldGrid, RecordForm } from '../../ui/record-form.tsx';
import type { RecordKind } from '../../ui/RecordEditor.tsx';
import { pluralize } from '../../../words.ts';
import { problemsByField } from '../../ui/problems.ts';
import { StatusTag } from '../../ui/status.tsx';
import { claimsText, readClaims } from '../../ui/typed-json.ts';
import { ActionButton } from '../../ui/buttons.tsx';

// A user as the form holds it (claims as text), and its conversion to and from a record.

/** The page never knows a password, only whether there is one. */
export const NO_PASSWORD = {
  /** A new password; empty to keep the current one. */
  password: '',
  /** Whether to remove the current password. */
  without_password: false,
};

export const draftOf = ({ has_password: _has_password, ...user }: User) => ({
  ...user,
  ...NO_PASSWORD,
  locked: user.locked ?? false,
  claims: claimsText(user.claims),
});

export type UserDraft = ReturnType<typeof draftOf>;

export const newDraft = (): UserDraft => ({
  sub: '',
  name: '',
  email: '',
  locked: false,
  ...NO_PASSWORD,
  claims: '',
});

/** The first unused subject among `ada-2`, `ada-3`, … */
export function freeSub(sub: string, users: readonly User[]): string {
  const stem = sub.replace(/-\d{1,4}$/, '');
  const taken = new Set(users.map((user) => user.sub));
  for (let count = 2; ; count += 1) {
    const free = `${stem}-${count}`;
    if (!taken.has(free)) return free;
  }
}

/** The same user with another subject. */
export const duplicateOf = (user: User, users: readonly User[]): UserDraft => ({
  ...draftOf(user),
  sub: freeSub(user.sub, users),
  name: user.name === '' ? '' : `${user.name} (copy)`,
});

/** The record for the draft; claims that cannot be parsed are empty (see `problemsOf`). */
export function userOf(draft: UserDraft): Omit<User, 'has_password'> {
  const { password: _password, without_password: _without_password, locked, ...user } = draft;
  const read = readClaims(draft.claims);
  return { ...user, ...(locked ? { locked } : {}), claims: read.ok ? read.claims : {} };
}

/** The member `password` of the request, present only if it is set or removed. */
export function passwordMember({ password, without_password }: UserDraft) {
  if (without_password) return { password: null };
  return password === '' ? {} : { password };
}

export function problemsOf(draft: UserDraft): FormErrors {
  const read = readClaims(draft.claims);
  const errors = problemsByField(userSchema, { ...userOf(draft), ...passwordMember(draft) }, [
    'claims',
  ]);
  return read.ok ? errors : { ...errors, claims: read.problem };
}

const USERS: RecordKind<User, UserDraft> = {
  view: 'users',
  kind: 'user',
  keyOf: ({ sub }) => sub,
  create: newDraft,
  duplicate: duplicateOf,
  draftOf,
  remove: deleteUser,
};

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
        description={
          has_password
            ? 'A password is set and not shown. Enter a new one to replace it.'
            : 'For the password grant, and for the sign-in page if it asks for one. If a user has none, any is accepted.'
        }
        placeholder={has_password ? 'Set' : 'None'}
        {...BELOW}
        classNames={{ innerInput: 'mono' }}
        visibilityToggleButtonProps={{ 'aria-label': 'Reveal password', tabIndex: 0 }}
        autoComplete="new-password"
        disabled={removed}
        {...memberProps(userSchema, form, 'password')}
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

const SignOut = ({ sub }: { readonly sub: string }) => (
  <fieldset className={classes.group}>
    <legend>Sessions</legend>
    <Group gap="xs">
      <ActionButton needs="connection" onClick={() => void signOut(sub)}>
        Sign out
      </ActionButton>
      <Hint>Ends the user’s sessions, and sends logout tokens to the apps.</Hint>
    </Group>
  </fieldset>
);

/** Signs the user out, and tells the apps. */
const signOut = (sub: string): Promise<boolean> =>
  attempt(`${sub} was not signed out.`, async () => {
    const { deliveries } = await control.logout({ sub });
    const declined = deliveries.filter(({ accepted }) => !accepted).length;
    const hasLogoutClients = page
      .getState()
      .clients.some((client) => client.backchannel_logout_uri);
    const apps =
      deliveries.length === 0
        ? hasLogoutClients
          ? 'the user had no session at an app with a back-channel logout URI'
          : 'no client has a back-channel logout URI'
        : declined === 0
          ? `${pluralize(deliveries.length, 'app')} accepted the logout token`
          : `${declined} of ${pluralize(deliveries.length, 'app')} did not accept the logout token`;
    notify(`${sub} is signed out; ${apps}`);
  });

interface UserFormProps {
  /** The user being edited; null for a new user. */
  readonly user: User | null;
  readonly start: UserDraft;
}

/** Resolves to the subject. */
async function save(user: User | null, draft: UserDraft): Promise<string> {
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
  return saved.sub;
}

function UserForm({ user, start }: UserFormProps) {
  return (
    <RecordForm
      view="users"
      record={user}
      schema={userSchema}
      name={user?.sub ?? 'the new user'}
      initial={start}
      validate={problemsOf}
      save={(draft) => save(user, draft)}
      failure="The user was not saved."
      emptied={NO_PASSWORD}
      idleText={user === null ? 'Not added yet' : undefined}
    >
      {(form) => (
        <>
          <fieldset className={classes.group}>
            <legend>Person</legend>
            <TextInput
              description={
                user === null
                  ? 'The sub claim of every token of this user.'
                  : 'Cannot be changed later; duplicate the user to choose another.'
              }
              {...BELOW}
              {...MONO}
              readOnly={user !== null}
              autoFocus={user === null}
              {...memberProps(userSchema, form, 'sub')}
            />
            <FieldGrid>
              <TextInput
                placeholder={fieldAt(userSchema, 'name').help}
                dir="auto"
                {...memberProps(userSchema, form, 'name')}
              />
              <TextInput
                placeholder="ada@example.test"
                spellCheck={false}
                {...memberProps(userSchema, form, 'email')}
              />
            </FieldGrid>
            <PasswordField form={form} has_password={user?.has_password ?? false} />
            <Checkbox
              label="Locked"
              description="The user cannot sign in. Existing sessions and tokens stay valid."
              {...form.getInputProps('locked', { type: 'checkbox' })}
            />
          </fieldset>
          {user !== null && <SignOut sub={user.sub} />}
          <fieldset className={classes.group}>
            <legend>Tokens</legend>
            <ClaimsField
              description="JSON members added to every access token of this user."
              {...form.getInputProps('claims')}
            />
          </fieldset>
        </>
      )}
    </RecordForm>
  );
}

const claimsOf = ({ claims }: User): string => Object.keys(claims).join(', ');

const RANKS = {
  sub: ({ sub }: User) => sub,
  name: ({ name }: User) => name,
  email: ({ email }: User) => email,
  claims: claimsOf,
};

const COLUMNS = [
  { id: 'sub', name: 'Subject', sortsBy: 'sub' },
  { id: 'name', name: 'Name', sortsBy: 'name' },
  { id: 'email', name: 'Email', sortsBy: 'email', className: table.from520 },
  { id: 'claims', name: 'Custom claims', sortsBy: 'claims', className: table.from820 },
] as const;

const userText = (user: User): string =>
  `${user.sub} ${user.name} ${user.email} ${JSON.stringify(user.claims)}`;

export function UsersView({ item }: ViewProps) {
  const users = usePage((state) => state.users);
  // Codes are issued for the oldest user unless another is chosen.
  const defaultSub = users.at(-1)?.sub;
  return (
    <RecordsView
      of={USERS}
      item={item}
      records={users}
      note="The people who authorize apps"
      add="Add user"
      icon={IconUser}
      about="A user signs in and authorizes an app. It has a subject, which tokens contain, a name and custom claims. Codes are only issued for a user."
      keyName="subject"
      columns={COLUMNS}
      ranks={RANKS}
      textOf={userText}
      actions={({ sub }) => [{ title: 'Sign out', needs: 'connection', run: () => signOut(sub) }]}
      cells={(user, linked) => {
        const names = claimsOf(user);
        return (
          <>
            <td>
              {linked(<code>{user.sub}</code>)}{' '}
              {user.sub === defaultSub && (
                <span title="Codes are issued for this user unless another is chosen.">
                  <StatusTag tone="muted">default</StatusTag>
                </span>
              )}
              {user.locked === true && (
                <>
                  {' '}
                  <StatusTag tone="warn">locked</StatusTag>
                </>
              )}
            </td>
            <td dir="auto">{user.name}</td>
            <td className={table.from520}>{user.email}</td>
            <td className={table.from820} title={names}>
              {names === '' ? <span className={table.muted}>none</span> : <code>{names}</code>}
            </td>
          </>
        );
      }}
      form={(user, start) => <UserForm user={user} start={start} />}
    />
  );
}
