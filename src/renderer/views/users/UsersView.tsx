// The table of users and the form for one. Labels come from the schema of a user; the service validates what is saved.

import { type MouseEvent, useState } from 'react';
import { Button, Checkbox, Group, PasswordInput, TextInput, SimpleGrid } from '@mantine/core';
import { IconPlus, IconUser } from '@tabler/icons-react';
import { type User, userSchema } from '../../../control/schemas.ts';
import { deleteUser } from '../../actions/delete-record.ts';
import { attempt } from '../../actions/sandbox.ts';
import {
  navigate,
  hrefOf,
  type ViewProps,
  copyItem,
  draftFor,
  NEW_ITEM,
} from '../../navigation/route.ts';
import { type RowMenu, openRowMenu } from '../../ui/grid/row-menu.tsx';
import { notify } from '../../ui/notify.tsx';
import { GridTable } from '../../ui/grid/GridTable.tsx';
import { useSorting, filtered } from '../../ui/grid/arrange.ts';
import { StatusTag } from '../../ui/status.tsx';
import { usePage, change, withUser } from '../../connection/state.ts';
import { EmptyState, Hint, PanelHead } from '../../ui/panel.tsx';
import { FilterField, NoMatch } from '../../ui/grid/FilterField.tsx';
import { useReturnedFocus, RecordEditor } from '../../ui/RecordEditor.tsx';
import split from '../../ui/split.module.css';
import table from '../../ui/grid/table.module.css';
import {
  duplicateOf,
  newDraft,
  type UserDraft,
  draftOf,
  passwordMember,
  problemsOf,
  userOf,
  withoutPassword,
} from './user-draft.ts';
import type { UseFormReturnType } from '@mantine/form';
import { fieldAt, type PathIn } from '../../../control/fields.ts';
import { patchBetween } from '../../../control/names.ts';
import { control } from '../../connection/control.ts';
import { ClaimsField } from '../../ui/JsonField.tsx';
import { RecordForm, useRecordForm } from '../../ui/record-form.tsx';
import { pluralize } from '../../ui/short-forms.ts';
import { useNeed } from '../../ui/use-need.ts';
import { useUnsavedGuard } from '../../ui/confirm.tsx';
import classes from '../../ui/form.module.css';

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

function SignOut({ sub }: { readonly sub: string }) {
  const needs = useNeed('connection');
  return (
    <fieldset className={classes.group}>
      <legend>Sessions</legend>
      <Group gap="xs">
        <Button onClick={() => void signOut(sub)} {...needs}>
          Sign out
        </Button>
        <Hint>Ends the user’s sessions, and sends logout tokens to the apps.</Hint>
      </Group>
    </fieldset>
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
      {user !== null && <SignOut sub={user.sub} />}
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

function UserEditor({ user, draft }: UserEditorProps) {
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

/** Signs the user out, and tells the apps. */
const signOut = (sub: string): Promise<boolean> =>
  attempt(`${sub} was not signed out.`, async () => {
    const { deliveries } = await control.logout({ sub });
    const refused = deliveries.filter(({ accepted }) => !accepted).length;
    const apps =
      deliveries.length === 0
        ? 'no client has a back-channel logout URI'
        : refused === 0
          ? `${pluralize(deliveries.length, 'app')} accepted the logout token`
          : `${refused} of ${pluralize(deliveries.length, 'app')} did not accept the logout token`;
    notify(`${sub} is signed out; ${apps}`);
  });

/** The context menu of a user's row. */
function userMenu(user: User): Pick<RowMenu, 'label' | 'actions'> {
  const { sub } = user;
  const copy = () =>
    attempt('The subject was not copied.', async () => {
      await navigator.clipboard.writeText(sub);
      notify(`Copied ${sub}`);
    });
  return {
    label: `User ${sub}`,
    actions: [
      { title: 'Edit', run: () => navigate('users', sub) },
      { title: 'Duplicate', run: () => navigate('users', copyItem(sub)) },
      { title: 'Copy subject', run: copy },
      { title: 'Sign out', needs: 'connection', run: () => signOut(sub) },
      { title: 'Delete', needs: 'connection', danger: true, run: () => deleteUser(user) },
    ],
  };
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

/** The text that the filter searches. */
const userText = (user: User): string =>
  `${user.sub} ${user.name} ${user.email} ${JSON.stringify(user.claims)}`;

interface UserTableProps {
  /** The users shown, newest first. */
  readonly users: readonly User[];
  readonly open: string | null;
  /** The subject of the default user, for whom codes are issued unless another is chosen. */
  readonly defaultSub: string | undefined;
}

function UserTable({ users, open, defaultSub }: UserTableProps) {
  const { heads, sorted } = useSorting(RANKS);
  return (
    <div className={split.scroll}>
      <GridTable name="users" columns={COLUMNS} least={320} {...heads}>
        {sorted(users).map((user) => (
          <UserRow
            key={user.sub}
            user={user}
            open={user.sub === open}
            isDefault={user.sub === defaultSub}
          />
        ))}
      </GridTable>
    </div>
  );
}

interface UserRowProps {
  readonly user: User;
  readonly open: boolean;
  readonly isDefault: boolean;
}

function UserRow({ user, open, isDefault }: UserRowProps) {
  const { sub, name, email } = user;
  const go = (event: MouseEvent) => {
    event.preventDefault();
    void navigate('users', sub);
  };
  const names = claimsOf(user);
  return (
    <tr
      className={table.opens}
      data-open={open || undefined}
      onClick={go}
      onContextMenu={(event) => openRowMenu(event, event.currentTarget, userMenu(user))}
    >
      <td>
        <a className={table.name} href={hrefOf('users', sub)} aria-current={open || undefined}>
          <code>{sub}</code>
        </a>{' '}
        {isDefault && (
          <span title="Codes are issued for this user unless another is chosen.">
            <StatusTag tone="muted">default</StatusTag>
          </span>
        )}
      </td>
      <td dir="auto">{name}</td>
      <td className={table.from520}>{email}</td>
      <td className={table.from820} title={names}>
        {names === '' ? <span className={table.muted}>none</span> : <code>{names}</code>}
      </td>
    </tr>
  );
}

const add = () => void navigate('users', NEW_ITEM);

function AddUser({ quiet }: { readonly quiet: boolean }) {
  return (
    <Button variant={quiet ? 'default' : 'filled'} leftSection={<IconPlus />} onClick={add}>
      Add user
    </Button>
  );
}

export function UsersView({ item }: ViewProps) {
  const list = useReturnedFocus('users', item);
  const users = usePage((state) => state.users);
  const [text, setText] = useState('');
  const shown = filtered(users, text, userText);
  const open = users.find((user) => user.sub === item) ?? null;
  const draft = draftFor(item, users, {
    keyOf: ({ sub }: User) => sub,
    create: newDraft,
    duplicate: (user) => duplicateOf(user, users),
  });
  const editing = open !== null || draft !== null;
  return (
    <div className={split.view} data-open={editing || undefined}>
      <section className={split.list} aria-label="Users" ref={list}>
        <PanelHead title="Users" note="The people who authorize apps">
          {users.length > 0 && (
            <>
              <FilterField what="users" text={text} onText={setText} />
              <AddUser quiet={editing} />
            </>
          )}
        </PanelHead>
        {users.length > 0 ? (
          <>
            <UserTable users={shown} open={open?.sub ?? null} defaultSub={users.at(-1)?.sub} />
            {shown.length === 0 && <NoMatch what="users" text={text} />}
          </>
        ) : (
          <EmptyState
            icon={IconUser}
            title="No users yet"
            text="A user signs in and authorizes an app. It has a subject, which tokens contain, a name and custom claims. Codes are only issued for a user."
            {...(editing ? {} : { action: <AddUser quiet={false} /> })}
          />
        )}
      </section>
      {editing && <UserEditor key={item} user={open} draft={draft} />}
    </div>
  );
}
