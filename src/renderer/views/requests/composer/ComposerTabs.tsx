import { Tabs } from '@mantine/core';
import type { ReactNode } from 'react';
import { isBlank, type FieldRow } from '../field-rows.ts';
import { COMPOSER_TABS, type ComposerTab } from '../requests-state.ts';
import { changeRequests, useRequests } from '../requests-store.ts';
import { BodyTab } from './BodyTab.tsx';
import { CodeTab } from './CodeTab.tsx';
import classes from './Composer.module.css';
import { HeadersTab } from './HeadersTab.tsx';
import { QueryTab } from './QueryTab.tsx';
import { RepeatTab } from './RepeatTab.tsx';

const NAMES: Record<ComposerTab, string> = {
  body: 'Body',
  query: 'Query',
  headers: 'Headers',
  code: 'Code',
  repeat: 'Repeat',
};

const CONTENT: Record<ComposerTab, ReactNode> = {
  body: <BodyTab />,
  query: <QueryTab />,
  headers: <HeadersTab />,
  code: <CodeTab />,
  repeat: <RepeatTab />,
};

const open = (value: string | null) => {
  const tab = COMPOSER_TABS.find((one) => one === value);
  if (tab !== undefined) changeRequests((state) => ({ ...state, tab }));
};

const countOf = (rows: readonly FieldRow[] | null): number =>
  rows?.filter((row) => !isBlank(row)).length ?? 0;

/** The parts of the request, one at a time. */
export function ComposerTabs() {
  const tab = useRequests((state) => state.tab);
  const { body, query, headers } = useRequests((state) => state.draft);
  const counts: Partial<Record<ComposerTab, number>> = {
    body: countOf(body.rows),
    query: countOf(query),
    headers: countOf(headers),
  };
  return (
    <Tabs value={tab} onChange={open} keepMounted={false} className={classes.tabs}>
      <Tabs.List>
        {COMPOSER_TABS.map((name) => (
          <Tabs.Tab key={name} value={name}>
            {NAMES[name]}
            {(counts[name] ?? 0) > 0 && <span className={classes.count}>{counts[name]}</span>}
          </Tabs.Tab>
        ))}
      </Tabs.List>
      {COMPOSER_TABS.map((name) => (
        <Tabs.Panel key={name} value={name} className={classes.panel}>
          {CONTENT[name]}
        </Tabs.Panel>
      ))}
    </Tabs>
  );
}
