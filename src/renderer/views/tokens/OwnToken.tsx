import { IconArrowRight } from '@tabler/icons-react';
import type { Credential } from '../../../control/schemas.ts';
import { control } from '../../connection/control.ts';
import { hrefOf } from '../../navigation/route.ts';
import { usePage } from '../../connection/state.ts';
import type { DecodedJwt } from '../../../oauth/jwt.ts';
import { ExchangeLink } from '../../exchange/ExchangeLink.tsx';
import { ownId } from './own-token.ts';
import classes from './Tokens.module.css';
import { useFollowed } from './use-followed.ts';

const readRecord = (id: string): Promise<Credential | null> =>
  id === '' ? Promise.resolve(null) : control.tokens.get({ id, secrets: true });

interface OwnTokenProps {
  readonly token: string;
  readonly jwt: DecodedJwt;
}

/** Whether the pasted token is one of those issued here: asked for by its number, and compared here. */
export function OwnToken({ token, jwt }: OwnTokenProps) {
  const issuer = usePage((state) => state.server?.issuer ?? '');
  const record = useFollowed(ownId(jwt, issuer) ?? '', readRecord).value;
  if (record === null || record.value !== token) return null;
  return (
    <p className={classes.own}>
      Issued here as{' '}
      <a className={classes.link} href={hrefOf('tokens', record.id)}>
        access token {record.id} <IconArrowRight aria-hidden="true" />
      </a>
      {record.issued_by === null ? ', issued directly' : ' by '}
      {record.issued_by !== null && <ExchangeLink number={record.issued_by} />}. It is{' '}
      {record.state}.
    </p>
  );
}
