import { Button, Group, Stack, Text, UnstyledButton } from '@mantine/core';
import {
  IconArrowsLeftRight,
  IconChevronDown,
  IconChevronRight,
  IconGitCompare,
} from '@tabler/icons-react';
import { useMemo, useState, type ReactNode } from 'react';
import type { ExchangeSummary } from '../../../control/schemas.ts';
import { withLocalTimes } from '../../connection/clock.ts';
import { usePage } from '../../connection/state.ts';
import { answerTone } from '../../exchange/answer.ts';
import { pluralize } from '../../ui/short-forms.ts';
import { StatusTag, statusWords } from '../../ui/status.tsx';
import { pathOf } from './filter.ts';
import { LoginComparison } from './LoginComparison.tsx';
import { clientsOf, isGroup, loginInWords, type Login, loginsOf, tellingOf } from './logins.ts';
import type { Rows } from './rows.ts';
import { changeTraffic, useTraffic, withSequence } from './traffic-state.ts';
import { momentOf } from './TrafficRow.tsx';
import item from '../../ui/item.module.css';

interface OpensExchanges {
  /** The exchange that is open beside the list. */
  readonly open: number | null;
  readonly onOpen: (number: number) => void;
}

/** The number and the time of an exchange. */
function When({ exchange: { number, at } }: { readonly exchange: ExchangeSummary }) {
  return (
    <Text span inherit ff="monospace" c="dimmed" className="figures">
      #{number} {momentOf(at)[0]}
    </Text>
  );
}

const Status = ({ exchange }: { readonly exchange: ExchangeSummary }) => (
  <StatusTag tone={answerTone(exchange)}>{statusWords(exchange.status)}</StatusTag>
);

interface ExchangeButtonProps extends OpensExchanges {
  readonly exchange: ExchangeSummary;
}

function ExchangeButton({ exchange, open, onOpen }: ExchangeButtonProps) {
  const { number, method, error, cause } = exchange;
  return (
    <UnstyledButton
      className={item.item}
      w="100%"
      fz="var(--fs-s)"
      aria-current={number === open || undefined}
      onClick={() => onOpen(number)}
    >
      <Group gap="xs" wrap="nowrap">
        <When exchange={exchange} />
        <Status exchange={exchange} />
        <Text span inherit ff="monospace" flex="none">
          {method} {pathOf(exchange)}
        </Text>
        <Text span inherit truncate title={cause ?? undefined}>
          {withLocalTimes(cause ?? error ?? '')}
        </Text>
      </Group>
    </UnstyledButton>
  );
}

interface LoginItemProps extends OpensExchanges {
  readonly login: Login;
  /** null if there is no other login. */
  readonly onCompare: (() => void) | null;
}

/** A login in one line, which unfolds to its exchanges. */
function LoginItem({ login, onCompare, ...opens }: LoginItemProps) {
  const { exchanges } = login;
  const [unfolded, setUnfolded] = useState(false);
  const [first] = exchanges;
  const telling = tellingOf(login);
  if (first === undefined || telling === undefined) return null;
  const Chevron = unfolded ? IconChevronDown : IconChevronRight;
  const numbers = exchanges.map(({ number }) => number);
  const sequence = () => changeTraffic((state) => withSequence(state, numbers));
  return (
    <li>
      <Group gap={0} wrap="nowrap">
        <UnstyledButton
          className={item.item}
          flex={1}
          miw={0}
          fz="var(--fs-s)"
          aria-expanded={unfolded}
          onClick={() => setUnfolded(!unfolded)}
        >
          <Group gap="xs" wrap="nowrap">
            <Chevron size="1.1em" aria-hidden="true" />
            <When exchange={first} />
            <Status exchange={telling} />
            <Text span inherit truncate fw="var(--w-medium)" c="var(--text)">
              {loginInWords(login)}
            </Text>
            <Text span inherit truncate c="dimmed" ff="monospace">
              {clientsOf(login)}
            </Text>
            <Text span inherit c="dimmed" flex="none" ml="auto">
              {pluralize(exchanges.length, 'exchange')}
            </Text>
          </Group>
        </UnstyledButton>
        {unfolded && (
          <Button
            variant="subtle"
            leftSection={<IconArrowsLeftRight size="1.1em" aria-hidden="true" />}
            aria-label={`Show as sequence: login #${login.number}`}
            onClick={sequence}
          >
            Sequence
          </Button>
        )}
        {unfolded && onCompare !== null && (
          <Button
            variant="subtle"
            leftSection={<IconGitCompare size="1.1em" aria-hidden="true" />}
            aria-label={`Compare login #${login.number}`}
            onClick={onCompare}
          >
            Compare
          </Button>
        )}
      </Group>
      {unfolded && (
        <Stack component="ul" role="list" gap={0} pl="lg" aria-label={`Login #${login.number}`}>
          {exchanges.map((exchange) => (
            <li key={exchange.number}>
              <ExchangeButton exchange={exchange} {...opens} />
            </li>
          ))}
        </Stack>
      )}
    </li>
  );
}

/** More would take long to draw with each batch. */
const FEW = 100;

interface LoginsListProps extends OpensExchanges {
  readonly rows: Rows;
  /** Shown below the last login. */
  readonly end: ReactNode;
}

/** The listed exchanges by login, newest first; those of no login stand alone. */
export function LoginsList({ rows, end, ...opens }: LoginsListProps) {
  const live = usePage((state) => state.exchanges);
  const held = useTraffic((state) => state.held);
  const [shown, setShown] = useState(FEW);
  const logins = useMemo(() => loginsOf(rows, held ?? live), [rows, held, live]);
  const left = logins.length - shown;
  const grouped = useMemo(() => logins.filter(isGroup), [logins]);
  const [compared, setCompared] = useState<Login | null>(null);
  return (
    <Stack gap="xs" p="xs" flex={1} mih={0} className={item.index} bd={0}>
      <Stack component="ul" role="list" gap={0} aria-label="Logins">
        {logins.slice(0, shown).map((login) => {
          const [only] = login.exchanges;
          return only === undefined || isGroup(login) ? (
            <LoginItem
              key={login.number}
              login={login}
              onCompare={grouped.length > 1 ? () => setCompared(login) : null}
              {...opens}
            />
          ) : (
            <li key={login.number}>
              <ExchangeButton exchange={only} {...opens} />
            </li>
          );
        })}
      </Stack>
      {left > 0 && (
        <Button variant="subtle" onClick={() => setShown(shown + FEW)}>
          Show more ({left.toLocaleString('en')} left)
        </Button>
      )}
      <Group gap="xs" justify="center" py="xs" fz="xs" c="dimmed">
        {end}
      </Group>
      {compared !== null && (
        <LoginComparison login={compared} logins={grouped} onClose={() => setCompared(null)} />
      )}
    </Stack>
  );
}
