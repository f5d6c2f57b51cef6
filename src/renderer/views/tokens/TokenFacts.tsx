import type { ReactNode } from 'react';
import type { Credential } from '../../../control/schemas.ts';
import { hrefOf } from '../../navigation/route.ts';
import { momentInFull } from '../../../oauth/moments.ts';
import { usePage } from '../../connection/state.ts';
import facts from '../../ui/facts.module.css';
import { ExchangeLink } from '../../exchange/ExchangeLink.tsx';
import classes from './Tokens.module.css';

type Fact = readonly [name: string, value: ReactNode];

function codeFacts({ kind, redirect_uri, code_challenge_method }: Credential): Fact[] {
  if (kind !== 'code') return [];
  return [
    ['Redirect URI', <code key="uri">{redirect_uri}</code>],
    ['PKCE', code_challenge_method ?? 'no challenge'],
  ];
}

function times(credential: Credential, now: number): Fact[] {
  const { issued_at, expires_at, ended_at, issued_by, ended_by, state } = credential;
  const words = (at: string) => momentInFull(Date.parse(at), now);
  const by = (number: number | null) =>
    number === null ? null : (
      <>
        {' by '}
        <ExchangeLink number={number} />
      </>
    );
  const issued: Fact = [
    'Issued',
    <span key="issued" title={issued_at}>
      {words(issued_at)}
      {by(issued_by) ?? ', issued directly'}
    </span>,
  ];
  const expiry: Fact = [
    'Expiry',
    <span key="expiry" title={expires_at}>
      {words(expires_at)}
    </span>,
  ];
  if (ended_at === null || ended_at === expires_at) return [issued, expiry];
  const ended = (
    <span key="ended" title={ended_at}>
      {`${state} ${words(ended_at)}`}
      {by(ended_by)}
    </span>
  );
  return [issued, ['Ended', ended], expiry];
}

/** What the server knows about a credential. */
export function TokenFacts({
  credential,
  now,
}: {
  readonly credential: Credential;
  readonly now: number;
}) {
  const { client_id, sub, audience, scope } = credential;
  const users = usePage((state) => state.users);
  const name = users.find((user) => user.sub === sub)?.name ?? '';
  const rows: readonly Fact[] = [
    [
      'Client',
      <a key="client" className={classes.link} href={hrefOf('clients', client_id)}>
        {client_id}
      </a>,
    ],
    ['User', name === '' ? <code>{sub}</code> : `${name} (${sub})`],
    [
      'Audience',
      audience === null ? 'decided when the code is exchanged' : <code>{audience}</code>,
    ],
    ['Scope', scope === '' ? 'none' : <code>{scope}</code>],
    ...codeFacts(credential),
    ...times(credential, now),
  ];
  return (
    <dl className={`${facts.facts} ${classes.facts}`}>
      {rows.map(([fact, value]) => (
        <div key={fact} className={facts.pair}>
          <dt>{fact}</dt>
          <dd>{value}</dd>
        </div>
      ))}
    </dl>
  );
}
