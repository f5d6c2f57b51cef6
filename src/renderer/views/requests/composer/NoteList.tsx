import { ActionIcon, Button, Tooltip } from '@mantine/core';
import { IconAlertTriangle, IconInfoCircle, IconX } from '@tabler/icons-react';
import { navigate } from '../../../navigation/route.ts';
import { dismissNote, mintAndFill } from '../request-actions.ts';
import type { Note } from '../requests-state.ts';
import { useRequests } from '../requests-store.ts';
import classes from './Composer.module.css';

const ICONS = { missing: IconAlertTriangle, failed: IconAlertTriangle, changed: IconInfoCircle };
const NAMES = { missing: 'Missing', failed: 'Failed', changed: 'Changed' };

function Remedy({ lacking }: Pick<Note, 'lacking'>) {
  const client_id = useRequests((state) => state.draft.client_id);
  if (lacking === undefined) return null;
  if (lacking !== 'redirect_uri') {
    return <Button onClick={() => void mintAndFill()}>Mint a pair</Button>;
  }
  return <Button onClick={() => void navigate('clients', client_id)}>Edit the client</Button>;
}

function NoteLine({ note }: { readonly note: Note }) {
  const Icon = ICONS[note.kind];
  return (
    <li className={classes.note} data-kind={note.kind}>
      <Icon aria-label={NAMES[note.kind]} />
      <span>{note.text}</span>
      <Remedy {...(note.lacking === undefined ? {} : { lacking: note.lacking })} />
      <Tooltip label="Dismiss">
        <ActionIcon aria-label="Dismiss the note" onClick={() => dismissNote(note)}>
          <IconX size="1.1em" />
        </ActionIcon>
      </Tooltip>
    </li>
  );
}

/** What the person should know about the request at hand; said as soon as it is known. */
export function NoteList() {
  const notes = useRequests((state) => state.notes);
  return (
    <div role="status">
      {notes.length > 0 && (
        <ul className={classes.notes} aria-label="Notes on the request">
          {notes.map((note) => (
            <NoteLine key={note.text} note={note} />
          ))}
        </ul>
      )}
    </div>
  );
}
