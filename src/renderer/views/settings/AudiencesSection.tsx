import { Button } from '@mantine/core';
import { IconPlus } from '@tabler/icons-react';
import { useState } from 'react';
import type { Audience } from '../../../control/schemas.ts';
import { deleteAudience } from '../../actions/delete-record.ts';
import { usePage } from '../../connection/state.ts';
import table from '../../ui/grid/table.module.css';
import { AudienceDialog } from './AudienceDialog.tsx';
import { RecordActions } from './RecordActions.tsx';
import section from './Section.module.css';
import { Section } from './Section.tsx';

export function AudiencesSection() {
  const audiences = usePage((state) => state.audiences);
  const [editing, setEditing] = useState<Audience | 'new' | null>(null);
  const add = (
    <Button
      variant="filled"
      leftSection={<IconPlus size="1.1em" aria-hidden="true" />}
      onClick={() => setEditing('new')}
    >
      Add audience
    </Button>
  );
  return (
    <Section
      title="Audiences"
      about="The APIs that tokens are issued for, and their scopes. The issuer itself is always one."
      action={add}
    >
      {audiences.length === 0 ? (
        <p className={section.empty}>
          No audiences besides the issuer. Add the address of the API your app calls.
        </p>
      ) : (
        <table className={table.table}>
          <thead>
            <tr>
              <th scope="col">Name</th>
              <th scope="col">URI</th>
              <th scope="col">Scopes</th>
              <th scope="col">
                <span className="visually-hidden">Actions</span>
              </th>
            </tr>
          </thead>
          <tbody>
            {audiences.map((audience) => (
              <tr key={audience.uri}>
                <td>{audience.name}</td>
                <td className={table.cut}>
                  <code title={audience.uri}>{audience.uri}</code>
                </td>
                <td className={table.cut} title={audience.scopes.join(' ')}>
                  <code className={table.muted}>{audience.scopes.join(' ')}</code>
                </td>
                <td>
                  <RecordActions
                    name={audience.uri}
                    onEdit={() => setEditing(audience)}
                    onDelete={() => void deleteAudience(audience)}
                  />
                </td>
              </tr>
            ))}
          </tbody>
        </table>
      )}
      {editing !== null && (
        <AudienceDialog
          audience={editing === 'new' ? null : editing}
          onClose={() => setEditing(null)}
        />
      )}
    </Section>
  );
}
