import { useState } from 'react';
import type { User } from '../../../control/schemas.ts';
import { deleteUser } from '../../actions/delete-record.ts';
import { RecordEditor } from '../../ui/RecordEditor.tsx';
import { draftOf, type UserDraft } from './user-draft.ts';
import { UserForm } from './UserForm.tsx';

interface UserEditorProps {
  /** The user being edited; null while one is added. */
  readonly user: User | null;
  /** What a new user starts from. */
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
