import { Box, Group, Text } from '@mantine/core';
import {
  IconKey,
  IconKeyOff,
  IconRefreshDot,
  IconTicket,
  IconBan,
  IconCheck,
  IconCircleDashed,
  IconCircleDot,
  IconHourglassEmpty,
  IconRefresh,
  IconX,
} from '@tabler/icons-react';
import type { Credential } from '../../../control/schemas.ts';
import { navigate } from '../../navigation/route.ts';
import { IconButton } from '../../ui/buttons.tsx';
import { ExchangeLink } from '../../exchange/ExchangeLine.tsx';
import { StatusTag } from '../../ui/status.tsx';
import { LifeMeter } from '../../inspector/TokenInspector.tsx';
import { KIND_WORDS, STATE_TONES, isLive, lifeInWords, lifeLeft } from './credential.ts';
import table from '../../ui/grid/table.module.css';
import { Hint } from '../../ui/panel.tsx';

/** Closes the pane beside the list. @param what it shows: "builder" */
export const CloseButton = ({ what }: { readonly what: string }) => (
  <IconButton
    label={`Close the ${what}`}
    tip="Close"
    icon={IconX}
    onClick={() => void navigate('tokens')}
  />
);

interface ByProps {
  readonly exchange: number | null;
  /** Shown without one. */
  readonly otherwise?: string | false;
}

export const By = ({ exchange, otherwise = false }: ByProps) =>
  exchange === null ? (
    otherwise
  ) : (
    <>
      {' by '}
      <ExchangeLink number={exchange} />
    </>
  );

const KIND_ICONS = {
  code: [IconTicket, 'var(--info)'],
  access_token: [IconKey, 'var(--accent)'],
  refresh_token: [IconRefreshDot, 'var(--violet)'],
} as const;

export function KindName({ kind, id }: Pick<Credential, 'kind' | 'id'>) {
  const [Icon, color] = KIND_ICONS[kind];
  return (
    <Group component="span" gap="xs" wrap="nowrap" miw={0} style={{ whiteSpace: 'nowrap' }}>
      <Icon size={16} color={color} aria-hidden="true" stroke={1.6} />
      <span>{KIND_WORDS[kind]}</span>
      <Text component="code" truncate c="dimmed">
        {id}
      </Text>
    </Group>
  );
}

const STATE_ICONS = {
  issued: IconCircleDashed,
  active: IconCircleDot,
  inactive: IconKeyOff,
  redeemed: IconCheck,
  rotated: IconRefresh,
  expired: IconHourglassEmpty,
  revoked: IconBan,
} as const;

/** The state of a credential, as a word, an icon and a colour. */
export function StateTag({ state }: { readonly state: Credential['state'] }) {
  const Icon = STATE_ICONS[state];
  return (
    <StatusTag tone={STATE_TONES[state]}>
      <Icon aria-hidden="true" stroke={2} />
      {state}
    </StatusTag>
  );
}

interface LifeCellProps {
  /** In its current state. */
  readonly credential: Credential;
  /** Sandbox time in ms. */
  readonly now: number;
}

/** The remaining lifetime, as a bar and in words; only in words after it has ended. */
export function LifeCell({ credential, now }: LifeCellProps) {
  const words = lifeInWords(credential, now);
  if (!isLive(credential)) {
    return (
      <Hint span title={words}>
        <span className={table.from520}>{credential.state} </span>
        {words.slice(credential.state.length + 1)}
      </Hint>
    );
  }
  return (
    <Group gap="0 var(--s2)" fz="xs">
      <Box flex="1 1 2rem">
        <LifeMeter life={lifeLeft(credential, now)} words={words} />
      </Box>
      <Box className="figures" flex="0 1 5.4rem" aria-hidden="true">
        {words.replace(/ left$/, '')}
      </Box>
    </Group>
  );
}
