import type { ReactNode } from 'react';
import type { Credential } from '../../../control/schemas.ts';
import { hrefOf } from '../../navigation/route.ts';
import { usePage } from '../../connection/state.ts';
import facts from '../../ui/facts.module.css';
import { ExchangeLink } from '../../exchange/ExchangeLink.tsx';
import { timesOf, type CredentialTime } from './credential.ts';
import classes from './Tokens.module.css';

type Fact = readonly [name: string, value: ReactNode];

function codeFacts({ kind, redirect_uri, code_challenge_method }: Credential): Fact[] {
  if (kind !== 'code') return [];
  return [
    ['Redirect URI', <code key="uri">{redirect_uri}</code>],
    ['PKCE', code_challenge_method ?? 'no challenge'],
  ];
}

function timeFacts(times: readonly CredentialTime[]): Fact[] {
  return times.map(({ name, at, words, by }) => [
    name,
    <span key={name} title={at}>
      {words}
      {by !== null ? (
        <>
          {' by '}
          <ExchangeLink number={by} />
        </>
      ) : (
        name === 'Issued' && ', issued directly'
      )}
    </span>,
  ]);
}

interface TokenFactsProps {
  readonly credential: Credential;
  /** Whether it is known to be a JWT. */
  readonly signed: boolean;
  readonly now: number;
}

/** What the server knows about a credential. */
export function TokenFacts({ credential, signed, now }: TokenFactsProps) {
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
    ...timeFacts(timesOf(credential, signed, now)),
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
