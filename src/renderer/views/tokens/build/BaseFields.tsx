import { Button, Select } from '@mantine/core';
import { usePage } from '../../../connection/state.ts';
import { chosenParty } from '../../../sending/chosen-party.ts';
import form from '../../../ui/form.module.css';
import { edit, takeClaims, useBuilt } from './build-store.ts';

const named = (id: string, name: string) => (name === '' ? id : `${name} (${id})`);

const DEFAULT = 'default';

/** Whose access token the claims are taken from. */
export function BaseFields() {
  const { client_id, sub, audience } = useBuilt();
  const clients = usePage((state) => state.clients);
  const users = usePage((state) => state.users);
  const audiences = usePage((state) => state.audiences);
  const { client, user } = chosenParty();
  return (
    <fieldset className={form.group}>
      <legend>Start from an access token</legend>
      <div className={form.pair}>
        <Select
          label="Client"
          searchable
          allowDeselect={false}
          nothingFoundMessage="No matching clients"
          value={client_id ?? client?.client_id ?? null}
          onChange={(value) => edit({ client_id: value })}
          data={clients.map((one) => ({
            value: one.client_id,
            label: named(one.client_id, one.client_name),
          }))}
        />
        <Select
          label="User"
          searchable
          allowDeselect={false}
          nothingFoundMessage="No matching users"
          value={sub ?? user?.sub ?? null}
          onChange={(value) => edit({ sub: value })}
          data={users.map((one) => ({ value: one.sub, label: named(one.sub, one.name) }))}
        />
        <Select
          label="Audience"
          allowDeselect={false}
          value={audience ?? DEFAULT}
          onChange={(value) => edit({ audience: value === DEFAULT ? null : value })}
          data={[
            { value: DEFAULT, label: 'Default of the client' },
            ...audiences.map(({ uri, name }) => ({ value: uri, label: named(uri, name) })),
          ]}
        />
      </div>
      <Button
        className={form.start ?? ''}
        disabled={clients.length === 0 || users.length === 0}
        onClick={() => void takeClaims()}
      >
        Fill in header and claims
      </Button>
    </fieldset>
  );
}
