import { Button, SegmentedControl, Select } from '@mantine/core';
import { IconRefresh } from '@tabler/icons-react';
import { usePage } from '../../../connection/state.ts';
import { credentialsOf } from '../../../../oauth/client-authentication.ts';
import { wantedBy, wantsAny } from '../credential-places.ts';
import { splitTarget, type Draft } from '../draft.ts';
import { placementOf, withPlacement, type Placement } from '../placement.ts';
import { fillIn } from '../fill.ts';
import { chooseClient } from '../request-actions.ts';
import { editDraft, useRequests } from '../requests-store.ts';
import { CodeLife } from './CodeLife.tsx';
import classes from './Composer.module.css';

const PLACES = [
  { value: 'body', label: 'Body' },
  { value: 'basic', label: 'Basic' },
  { value: 'none', label: 'None' },
] as const;

/** Endpoints where a client proves itself (RFC 6749 3.2.1, RFC 7009 2.1, RFC 7662 2.1). */
const PROVES = /\/oauth\/(?:token|revoke|introspect|par)$/;

const provesClient = ({ target, body }: Draft): boolean =>
  PROVES.test(splitTarget(target)[0]) && body.rows !== null;

function PlacementSwitch() {
  const clients = usePage((state) => state.clients);
  const draft = useRequests((state) => state.draft);
  const client = clients.find(({ client_id }) => client_id === draft.client_id);
  const chosen =
    client === undefined ? { client_id: '', client_secret: null } : credentialsOf(client, null);
  const place = (placement: Exclude<Placement, 'both'>) =>
    editDraft((former) => withPlacement(former, placement, chosen));
  const placement = placementOf(draft);
  return (
    <div>
      <span className={classes.label} id="requests-placement">
        Client authentication
      </span>
      <SegmentedControl
        aria-labelledby="requests-placement"
        value={placement === 'both' ? '' : placement}
        onChange={(value) => place(value as Exclude<Placement, 'both'>)}
        data={[...PLACES]}
      />
    </div>
  );
}

/** Which client's credentials the request carries and where, and a button that gets new ones. */
export function ClientBar() {
  const clients = usePage((state) => state.clients);
  const draft = useRequests((state) => state.draft);
  const filling = useRequests((state) => state.filling);
  return (
    <div className={classes.client}>
      <Select
        label="Client"
        placeholder="Not a registered client"
        searchable
        allowDeselect={false}
        nothingFoundMessage="No matching clients"
        value={draft.client_id}
        onChange={(client_id) => {
          if (client_id !== null) void chooseClient(client_id);
        }}
        data={clients.map(({ client_id, client_name }) => ({
          value: client_id,
          label: client_name === '' ? client_id : `${client_name} (${client_id})`,
        }))}
      />
      {provesClient(draft) && <PlacementSwitch />}
      {wantsAny(wantedBy(draft)) && (
        <div className={classes.fresh}>
          <Button
            leftSection={<IconRefresh size="1.1em" aria-hidden="true" />}
            loading={filling}
            onClick={() => void fillIn()}
          >
            Get new credentials
          </Button>
          <CodeLife />
        </div>
      )}
    </div>
  );
}
