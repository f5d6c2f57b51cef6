import { Modal, Select, Stack } from '@mantine/core';
import { useState } from 'react';
import { timeOfDay } from '../../connection/clock.ts';
import { pluralize } from '../../../words.ts';
import { ComparedSteps, type SideBySide } from '../../inspector/ComparedSteps.tsx';
import { differs } from '../../inspector/CompareTable.tsx';
import { Hint, LoadFailed, Loading } from '../../ui/panel.tsx';
import { useLoaded } from '../../ui/use-loaded.ts';
import { compareLogins, type ComparedStep } from './compare-logins.ts';
import { readExchanges } from './read-exchanges.ts';
import { counterpartOf, loginInWords } from './logins.ts';
import type { Login } from './rows.ts';

/** A login may have thousands of refreshes, which are all alike. */
const MOST_EXCHANGES = 100;

/** More would be slow to choose from. */
const MOST_LOGINS = 200;

const startOf = ({ exchanges: [first] }: Login): string => timeOfDay(Date.parse(first.at));

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
      ? { ...step, tone: 'ok', words: 'same', remark: 'No compared values differ.' }
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
          'Some exchanges are no longer stored. '}
        Times and secrets are omitted. Codes, tokens and other values that are new in each login are
        compared by their origin.
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
export function LoginComparison({ login, logins, onClose }: LoginComparisonProps) {
  const [chosen, setChosen] = useState(() => counterpartOf(login, logins)?.number ?? null);
  const others = logins.filter(({ number }) => number !== login.number);
  const other = others.find(({ number }) => number === chosen);
  return (
    <Modal
      opened
      onClose={onClose}
      title={`Compare login #${login.number}`}
      size="min(72rem, 94vw)"
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
