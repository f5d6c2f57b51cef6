// The cases of a client check, with what each has shown, and beside them the one that is open or active.

import { Alert, Group, SegmentedControl, Select, Text } from '@mantine/core';
import { IconDownload, IconTrash } from '@tabler/icons-react';
import { useState } from 'react';
import { CASE_GROUPS, GOOD_LOGIN } from '../../../control/names.ts';
import { control } from '../../connection/control.ts';
import { useReach } from '../../connection/reach.ts';
import { usePage } from '../../connection/state.ts';
import { goTo, hrefOf, type ViewProps } from '../../navigation/route.ts';
import { filtered, useSorting } from '../../ui/grid/arrange.ts';
import { FilterField, NoMatch } from '../../ui/grid/FilterField.tsx';
import { GridTable } from '../../ui/grid/GridTable.tsx';
import table from '../../ui/grid/table.module.css';
import { ActionButton } from '../../ui/buttons.tsx';
import { MenuAction, MoreMenu } from '../../ui/MenuAction.tsx';
import { LoadFailed, Loading, PanelHead } from '../../ui/panel.tsx';
import { useReturnedFocus } from '../../ui/RecordEditor.tsx';
import { pluralize } from '../../../words.ts';
import split from '../../ui/split.module.css';
import { StatusTag } from '../../ui/status.tsx';
import { useInSight } from '../../ui/use-in-sight.ts';
import { useLoaded } from '../../ui/use-loaded.ts';
import { CasePanel } from './CasePanel.tsx';
import {
  chooseClient,
  type CheckedCase,
  checkedCases,
  deleteResults,
  lastEnded,
  resultLabel,
  startCase,
  totalsInWords,
  useChosen,
} from './check.ts';
import { saveCheckReport } from './CheckReport.tsx';

const load = async () => {
  const ended = lastEnded();
  const [cases, results] = await Promise.all([
    control.clientChecks.cases(),
    control.clientChecks.results(),
  ]);
  return { cases: cases.items, results: results.items, ended };
};

const SHOWN = [
  { value: 'all', label: 'All' },
  { value: 'must', label: 'Must' },
  { value: 'faults', label: 'Faults' },
] as const;
type Shown = (typeof SHOWN)[number]['value'];

const isShown: Record<Shown, (one: CheckedCase) => boolean> = {
  all: () => true,
  must: ({ level }) => level === 'must',
  faults: ({ found }) => found?.fault === true,
};

const caseText = ({ id, title, group, level }: CheckedCase) =>
  `${id} ${title} ${CASE_GROUPS[group]} ${level}`;

const RANKS = {
  case: ({ title }: CheckedCase) => title,
  part: ({ group }: CheckedCase) => CASE_GROUPS[group],
  level: ({ level }: CheckedCase) => level,
  result: ({ found }: CheckedCase) => (found === null ? '' : resultLabel(found).words),
};

const COLUMNS = [
  { id: 'case', name: 'Case', sortsBy: 'case' },
  { id: 'part', name: 'Part', sortsBy: 'part', width: '11rem', className: table.from820 },
  { id: 'level', name: 'Level', sortsBy: 'level', width: '5rem', className: table.from520 },
  { id: 'result', name: 'Result', sortsBy: 'result', width: '8.75rem' },
] as const;

interface CaseRowProps {
  readonly one: CheckedCase;
  readonly open: boolean;
  readonly active: boolean;
}

function CaseRow({ one, open, active }: CaseRowProps) {
  const { id, title, group, level, found } = one;
  const ref = useInSight<HTMLTableRowElement>(open);
  return (
    <tr ref={ref} className={table.opens} data-open={open || undefined} onClick={goTo('check', id)}>
      <td title={title}>
        <a className={table.name} href={hrefOf('check', id)} aria-current={open || undefined}>
          {title}
        </a>
      </td>
      <td className={`${table.from820} ${table.muted}`}>{CASE_GROUPS[group]}</td>
      <td className={`${table.from520} ${table.muted}`}>{level}</td>
      <td>
        {active ? (
          <StatusTag tone="info">active</StatusTag>
        ) : (
          found !== null && (
            <StatusTag tone={resultLabel(found).tone}>{resultLabel(found).words}</StatusTag>
          )
        )}
      </td>
    </tr>
  );
}

function ChooseClient() {
  const clients = usePage((state) => state.clients);
  const busy = usePage((state) => state.client_check !== null);
  const { client_id } = useChosen();
  // A client that was deleted meanwhile stays chosen, since its results are shown.
  const ids = new Set(clients.map((client) => client.client_id));
  if (client_id !== null) ids.add(client_id);
  return (
    <Select
      w="10rem"
      aria-label="Client to check"
      searchable
      allowDeselect={false}
      disabled={busy}
      value={client_id ?? ''}
      onChange={(value) => chooseClient(value === '' ? null : value)}
      data={[
        { value: '', label: 'Any client' },
        ...Array.from(ids, (value) => ({ value, label: value })),
      ]}
    />
  );
}

/** Refusals count once a good login has succeeded after them, so that one good login confirms many. */
function Unconfirmed({ cases }: { readonly cases: readonly CheckedCase[] }) {
  const busy = usePage((state) => state.client_check !== null);
  const count = cases.filter(({ found }) => found?.awaits_good_login === true).length;
  if (count === 0 || busy) return null;
  return (
    <Alert mx="md" mb="xs" title={`${pluralize(count, 'result')} to confirm`}>
      <Group justify="space-between" gap="xs">
        <Text size="sm">
          An app that always fails proves nothing; one good login decides{' '}
          {count === 1 ? 'it' : 'all of them'}.
        </Text>
        <ActionButton needs="server" onClick={() => void startCase(GOOD_LOGIN)}>
          Start a good login
        </ActionButton>
      </Group>
    </Alert>
  );
}

function Actions({ cases }: { readonly cases: readonly CheckedCase[] }) {
  const none = cases.every(({ found }) => found === null);
  return (
    <>
      <ActionButton
        needs="connection"
        leftSection={<IconDownload />}
        disabled={none}
        onClick={() => void saveCheckReport(cases)}
      >
        Report
      </ActionButton>
      <MoreMenu what="the results">
        <MenuAction
          needs="connection"
          disabled={none}
          leftSection={<IconTrash />}
          onClick={() => void deleteResults()}
        >
          Delete all results
        </MenuAction>
      </MoreMenu>
    </>
  );
}

export function CheckView({ item }: ViewProps) {
  const list = useReturnedFocus('check', item);
  const [text, setText] = useState('');
  const [shown, setShown] = useState<Shown>('all');
  const revision = usePage((state) => state.client_checks_revision);
  const active = usePage((state) => state.client_check?.case ?? null);
  const live = useReach((reach) => reach.live);
  const choice = useChosen();
  const { known, problem, retry } = useLoaded(load, revision);
  const { heads, sorted } = useSorting(RANKS);
  if (known === null) {
    return problem === null ? (
      <Loading>Loading the cases…</Loading>
    ) : (
      <LoadFailed what="cases" problem={problem} retry={retry} />
    );
  }
  const cases = checkedCases(known, choice);
  const found = filtered(cases.filter(isShown[shown]), text, caseText);
  const openId = item ?? active;
  return (
    <div className={split.view} data-open>
      <section className={split.list} aria-label="Cases" ref={list}>
        <PanelHead title="Check your app" note={totalsInWords(cases)}>
          <Actions cases={cases} />
        </PanelHead>
        <Group px="md" py="xs" gap="xs">
          <FilterField what="cases" text={text} onText={setText} />
          <SegmentedControl
            aria-label="Which cases"
            value={shown}
            onChange={setShown}
            data={[...SHOWN]}
          />
          <ChooseClient />
        </Group>
        <Unconfirmed cases={cases} />
        <div className={split.scroll} tabIndex={0} role="region" aria-label="Cases in their order">
          <GridTable name="cases" columns={COLUMNS} least={300} {...heads}>
            {sorted(found).map((one) => (
              <CaseRow
                key={one.id}
                one={one}
                open={one.id === openId}
                active={live && one.id === active}
              />
            ))}
          </GridTable>
          {found.length === 0 && text !== '' && <NoMatch what="cases" text={text} />}
          {found.length === 0 && text === '' && (
            <Text p="md" c="dimmed">
              No case has shown a fault of your app.
            </Text>
          )}
        </div>
      </section>
      <CasePanel cases={cases} id={openId} />
    </div>
  );
}
