// The exchanges by login, and two logins compared.

import { Button, Group, Modal, Select, Stack, Text, UnstyledButton } from '@mantine/core';
import {
  IconArrowsLeftRight,
  IconChevronDown,
  IconChevronRight,
  IconGitCompare,
} from '@tabler/icons-react';
import { useMemo, useState, type ReactNode } from 'react';
import type { ExchangeSummary } from '../../../control/schemas.ts';
import { timeOfDay, withLocalTimes } from '../../connection/clock.ts';
import { usePage } from '../../connection/state.ts';
import { answerTone } from '../../exchange/answer.ts';
import { pluralize } from '../../ui/short-forms.ts';
import { StatusTag, statusWords } from '../../ui/status.tsx';
import { pathOf } from './filter.ts';
import { ComparedSteps, type SideBySide } from '../../inspector/ComparedSteps.tsx';
import { differs } from '../../inspector/CompareTable.tsx';
import { Hint, LoadFailed, Loading } from '../../ui/panel.tsx';
import { useLoaded } from '../../ui/use-loaded.ts';
import { compareLogins, type ComparedStep } from './compare-logins.ts';
import { readExchanges } from './read-exchanges.ts';
import {
  clientsOf,
  counterpartOf,
  isGroup,
  loginInWords,
  type Login,
  loginsOf,
  tellingOf,
} from './logins.ts';
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

/** A login may have thousands of refreshes, which are all alike. */
const MOST_EXCHANGES = 100;

/** More would be slow to choose from. */
const MOST_LOGINS = 200;

const startOf = ({ exchanges: [first] }: Login): string =>
  first === undefined ? '' : timeOfDay(Date.parse(first.at));

const labelOf = (login: Login): string =>
  `#${login.number} · ${startOf(login)} · ${loginInWords(login)}`;

const read = ({ exchanges }: Login) =>
  readExchanges(
    exchanges.slice(0, MOST_EXCHANGES).map(({ number }) => number),
    true,
  );

const readBoth = async ([first, second]: readonly [Login, Login]) =>
  compareLogins(await read(first), await read(second));

const sideBySide =
  ([first, second]: readonly [Login, Login]) =>
  ({ number, title, first: one, second: other, values }: ComparedStep): SideBySide => {
    const step = {
      group: null,
      title: `${number}. ${title}`,
      place: [one, other]
        .flatMap((exchange) => (exchange === null ? [] : `#${exchange.number}`))
        .join(' and '),
      values,
    };
    if (one === null || other === null) {
      const words = `only in #${(one === null ? second : first).number}`;
      return { ...step, tone: 'warn', words, remark: `This request is ${words}.` };
    }
    const count = values.filter(differs).length;
    return count === 0
      ? { ...step, tone: 'ok', words: 'same', remark: 'Nothing that is compared differs.' }
      : {
          ...step,
          tone: 'warn',
          words: pluralize(count, 'difference'),
          remark: `${pluralize(count, 'value')} ${count === 1 ? 'differs' : 'differ'}.`,
        };
  };

function Pair({ logins }: { readonly logins: readonly [Login, Login] }) {
  const [first, second] = logins;
  // A login that goes on while it is compared stays as it was.
  const [load] = useState(() => () => readBoth(logins));
  const { known, problem, retry } = useLoaded(load, 0);
  if (problem !== null) return <LoadFailed what="logins" problem={problem} retry={retry} />;
  if (known === null) return <Loading>Loading both logins…</Loading>;
  const counts = logins.map(({ exchanges }) => exchanges.length);
  const wanted = counts.map((count) => Math.min(count, MOST_EXCHANGES));
  const kept = known.flatMap((step) => [step.first, step.second]).filter((one) => one !== null);
  return (
    <>
      <Hint px="md" pb="sm">
        {Math.max(...counts) > MOST_EXCHANGES &&
          `Only the first ${MOST_EXCHANGES} exchanges of each are compared. `}
        {kept.length < wanted.reduce((sum, count) => sum + count) &&
          'Some exchanges are no longer kept. '}
        Times and secrets are left out. Codes, tokens and other values that are new in each login
        are compared by where they come from.
      </Hint>
      <ComparedSteps
        label="Requests of both logins"
        steps={known.map(sideBySide(logins))}
        heads={[
          'Value',
          `#${first.number} ${startOf(first)}`,
          `#${second.number} ${startOf(second)}`,
        ]}
      />
    </>
  );
}

interface LoginComparisonProps {
  readonly login: Login;
  /** The listed logins, newest first. */
  readonly logins: readonly Login[];
  readonly onClose: () => void;
}

/** A login beside another one, which is at first the newest that went well. */
function LoginComparison({ login, logins, onClose }: LoginComparisonProps) {
  const [chosen, setChosen] = useState(() => counterpartOf(login, logins)?.number ?? null);
  const others = logins.filter(({ number }) => number !== login.number);
  const other = others.find(({ number }) => number === chosen);
  return (
    <Modal
      opened
      onClose={onClose}
      title={`Compare login #${login.number}`}
      size="min(72rem, 94vw)"
      closeButtonProps={{ 'aria-label': 'Close' }}
      styles={{ body: { padding: 0 } }}
    >
      <Stack gap={0}>
        <Select
          label="With"
          px="md"
          pb="sm"
          searchable
          allowDeselect={false}
          placeholder="Choose a login"
          nothingFoundMessage="No other login"
          data={others
            .filter((one, index) => index < MOST_LOGINS || one === other)
            .map((one) => ({ value: String(one.number), label: labelOf(one) }))}
          value={chosen === null ? null : String(chosen)}
          onChange={(value) => setChosen(Number(value))}
        />
        {other !== undefined && <Pair key={chosen} logins={[other, login]} />}
      </Stack>
    </Modal>
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
