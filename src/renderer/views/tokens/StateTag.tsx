import {
  IconBan,
  IconCheck,
  IconCircleDashed,
  IconCircleDot,
  IconHourglassEmpty,
  IconRefresh,
} from '@tabler/icons-react';
import type { Credential } from '../../../control/schemas.ts';
import { StatusTag } from '../../ui/status.tsx';
import { STATE_TONES } from './credential.ts';
import classes from './Tokens.module.css';

const ICONS = {
  issued: IconCircleDashed,
  active: IconCircleDot,
  redeemed: IconCheck,
  rotated: IconRefresh,
  expired: IconHourglassEmpty,
  revoked: IconBan,
} as const;

/** The state of a credential, in a word, a shape and a colour. */
export function StateTag({ state }: { readonly state: Credential['state'] }) {
  const Icon = ICONS[state];
  return (
    <span className={classes.stateTag}>
      <StatusTag tone={STATE_TONES[state]}>
        <span className={classes.state}>
          <Icon aria-hidden="true" stroke={2} />
          {state}
        </span>
      </StatusTag>
    </span>
  );
}
