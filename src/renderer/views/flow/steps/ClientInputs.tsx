import { Button, Select } from '@mantine/core';
import { IconPlus } from '@tabler/icons-react';
import { useState } from 'react';
import { usePage } from '../../../connection/state.ts';
import { mayUse, useChoice } from '../choice.ts';
import { withClient } from '../flow-state.ts';
import { changeFlow, useFlow } from '../flow-store.ts';
import { DpopSwitch } from './DpopSwitch.tsx';
import { RegisterClient } from './RegisterClient.tsx';
import classes from './Steps.module.css';

const pick = (client_id: string | null) => {
  if (client_id !== null) {
    changeFlow((state) => ({ ...withClient(state, client_id), editing: 'client' }));
  }
};

/** Pick a client, or register one without leaving the flow. */
export function ClientInputs() {
  const grant = useFlow((state) => state.inputs.grant);
  const all = usePage((state) => state.clients);
  const clients = grant === 'authorization_code' ? all : all.filter(mayUse(grant));
  const { client } = useChoice();
  const [registering, setRegistering] = useState(clients.length === 0);
  if (registering) {
    return (
      <RegisterClient
        grant={grant}
        onDone={(client_id) => {
          setRegistering(false);
          pick(client_id);
        }}
      />
    );
  }
  return (
    <div className={classes.fields}>
      <Select
        label="Client"
        searchable
        allowDeselect={false}
        value={client?.client_id ?? null}
        onChange={pick}
        data={clients.map(({ client_id, client_name }) => ({
          value: client_id,
          label: client_name === '' ? client_id : `${client_name} (${client_id})`,
        }))}
      />
      <DpopSwitch />
      <Button leftSection={<IconPlus size="1.1em" />} onClick={() => setRegistering(true)}>
        Register a client
      </Button>
    </div>
  );
}
