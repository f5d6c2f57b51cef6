import type { ReactNode } from 'react';
import type { Exchange } from '../../../control/schemas.ts';
import { usePage } from '../../connection/state.ts';
import { ViewLink } from '../../ui/links.tsx';
import { momentOf } from './moment.ts';
import { SENDER_NAMES } from './sender.ts';
import classes from './Traffic.module.css';

function ClientLink({ client_id }: { readonly client_id: string }) {
  const known = usePage((state) => state.clients.some((client) => client.client_id === client_id));
  if (!known) return <code>{client_id}</code>;
  return (
    <ViewLink view="clients" item={client_id}>
      <code>{client_id}</code>
    </ViewLink>
  );
}

/** The presented credential; its link leads to everything issued from the same authorization. */
function Lineage({ exchange: { lineage_id, credential_id } }: { readonly exchange: Exchange }) {
  if (credential_id === null) return lineage_id !== null && <code>{lineage_id}</code>;
  return (
    <ViewLink view="tokens" item={credential_id}>
      <code>{lineage_id ?? 'credential'}</code>
    </ViewLink>
  );
}

interface FactProps {
  readonly name: string;
  /** The value says by itself what it is. */
  readonly plain?: boolean;
  readonly children: ReactNode;
}

function Fact({ name, plain = false, children }: FactProps) {
  return (
    <div>
      <dt className={plain ? 'visually-hidden' : undefined}>{name}</dt>
      <dd>{children}</dd>
    </div>
  );
}

/** Who sent it, when, with what grant, and whence. */
export function DetailFacts({ exchange }: { readonly exchange: Exchange }) {
  const { number, at, grant_type, client_id, ip, sent_by, lineage_id, credential_id } = exchange;
  return (
    <dl className={classes.facts}>
      <Fact name="No.">
        <code>{number}</code>
      </Fact>
      <Fact name="Time" plain>
        <code title={at}>{momentOf(at).join('')}</code>
      </Fact>
      {client_id !== null && (
        <Fact name="Client" plain>
          <ClientLink client_id={client_id} />
        </Fact>
      )}
      {grant_type !== null && (
        <Fact name="Grant" plain>
          {grant_type}
        </Fact>
      )}
      <Fact name="Sent by">{SENDER_NAMES[sent_by]}</Fact>
      <Fact name="From">
        <code>{ip}</code>
      </Fact>
      {(lineage_id ?? credential_id) !== null && (
        <Fact name="Lineage">
          <Lineage exchange={exchange} />
        </Fact>
      )}
    </dl>
  );
}
