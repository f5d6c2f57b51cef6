import { IconKey, IconRefreshDot, IconTicket } from '@tabler/icons-react';
import type { Credential } from '../../../control/schemas.ts';
import { KIND_WORDS } from './credential.ts';
import classes from './Tokens.module.css';

const ICONS = {
  code: IconTicket,
  access_token: IconKey,
  refresh_token: IconRefreshDot,
} as const;

/** What a credential is and the name it goes by. */
export function KindName({ kind, id }: Pick<Credential, 'kind' | 'id'>) {
  const Icon = ICONS[kind];
  return (
    <span className={classes.kind} data-kind={kind}>
      <Icon aria-hidden="true" stroke={1.6} />
      <span>{KIND_WORDS[kind]}</span>
      <code>{id}</code>
    </span>
  );
}
