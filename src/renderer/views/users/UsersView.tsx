import { Button } from '@mantine/core';
import { IconPlus, IconUser } from '@tabler/icons-react';
import { useState } from 'react';
import type { User } from '../../../control/schemas.ts';
import { draftFor, NEW_ITEM } from '../../navigation/draft-route.ts';
import { navigate, type ViewProps } from '../../navigation/route.ts';
import { usePage } from '../../connection/state.ts';
import { EmptyState, PanelHead } from '../../ui/panel.tsx';
import { filtered } from '../../ui/grid/arrange.ts';
import { FilterField, NoMatch } from '../../ui/grid/FilterField.tsx';
import split from '../../ui/split.module.css';
import { useReturnedFocus } from '../../ui/RecordEditor.tsx';
import { duplicateOf, newDraft } from './user-draft.ts';
import { UserEditor } from './UserEditor.tsx';
import { userText, UserTable } from './UserTable.tsx';

const add = () => void navigate('users', NEW_ITEM);

function AddUser({ quiet }: { readonly quiet: boolean }) {
  return (
    <Button
      variant={quiet ? 'default' : 'filled'}
      leftSection={<IconPlus size="1.1em" aria-hidden="true" />}
      onClick={add}
    >
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
    begun: newDraft,
    copied: (user) => duplicateOf(user, users),
  });
  const editing = open !== null || draft !== null;
  return (
    <div className={split.view} data-open={editing || undefined}>
      <section className={split.list} aria-label="Users" ref={list}>
        <PanelHead title="Users" note="The people who authorize">
          {users.length > 0 && (
            <>
              <FilterField what="users" text={text} onText={setText} />
              <AddUser quiet={editing} />
            </>
          )}
        </PanelHead>
        {users.length > 0 ? (
          <>
            <UserTable users={shown} open={open?.sub ?? null} first={users.at(-1)?.sub} />
            {shown.length === 0 && <NoMatch what="users" text={text} />}
          </>
        ) : (
          <EmptyState
            icon={<IconUser size="1.6em" stroke={1.5} />}
            title="No users yet"
            text="A user signs in and authorizes an app. It has a subject, which is in the tokens, a name and custom claims. No code can be issued without a user."
            {...(editing ? {} : { action: <AddUser quiet={false} /> })}
          />
        )}
      </section>
      {editing && <UserEditor key={item} user={open} draft={draft} />}
    </div>
  );
}
