import type { ReactNode } from 'react';
import type { Exchange } from '../../../control/schemas.ts';
import { hrefOf, navigate } from '../../route.ts';
import { usePage } from '../../state.ts';
import { momentOf } from './moment.ts';
import classes from './Traffic.module.css';

function ClientLink({ client_id }: { readonly client_id: string }) {
  const known = usePage((state) => state.clients.some((client) => client.client_id === client_id));
  if (!known) return <code>{client_id}</code>;
  return (
    <a
      href={hrefOf('clients', client_id)}
      onClick={(event) => {
        event.preventDefault();
        void navigate('clients', client_id);
      }}
    >
      <code>{client_id}</code>
    </a>
  );
}

/** Who sent it, when, with what grant, and whence. */
export function DetailFacts({ exchange }: { readonly exchange: Exchange }) {
  const { number, at, grant_type, client_id, ip, lineage_id, fault } = exchange;
  const facts: readonly (readonly [string, ReactNode])[] = [
    ['No.', <code key="number">{number}</code>],
    ['At', <code key="at">{momentOf(at).join('')}</code>],
    ['Client', client_id !== null && <ClientLink key="client" client_id={client_id} />],
    ['Grant', grant_type],
    ['From', <code key="from">{ip}</code>],
    ['Lineage', lineage_id !== null && <code key="lineage">{lineage_id}</code>],
    ['Fault', fault?.what],
  ];
  return (
    <dl className={classes.facts}>
      {facts.map(
        ([name, value]) =>
          Boolean(value) && (
            <div key={name}>
              <dt>{name}</dt>
              <dd>{value}</dd>
            </div>
          ),
      )}
    </dl>
  );
}
