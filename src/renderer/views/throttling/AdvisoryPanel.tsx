// The list of advisories with counts per client. It reads them over the control API; core decides what is redundant.

import { IconMoodCheck } from '@tabler/icons-react';
import { useId, useState } from 'react';
import { Box, Group, Stack } from '@mantine/core';
import type { AdvisoryEntry } from '../../../control/schemas.ts';
import { pastInWords } from '../../../oauth/moments.ts';
import { durationInWords } from '../../../words.ts';
import { control } from '../../connection/control.ts';
import type { Whose } from '../../connection/rates.ts';
import { usePage } from '../../connection/state.ts';
import { useLoaded } from '../../ui/use-loaded.ts';
import { usePreference } from '../../ui/preferences.ts';
import { timeOfDay, useSandboxNow } from '../../connection/clock.ts';
import { ExchangeLink } from '../../exchange/ExchangeLine.tsx';
import { Cited } from '../../ui/links.tsx';
import { EmptyState, Loading, Hint, LoadFailed } from '../../ui/panel.tsx';
import table from '../../ui/grid/table.module.css';
import { Disclose } from '../../ui/buttons.tsx';
import { Heads, useShownRows } from '../../ui/grid/GridTable.tsx';

const NEWEST = 200;

type Advisories = Awaited<ReturnType<typeof control.advisories.list>>;

const LOAD: Record<Whose, () => Promise<Advisories>> = {
  app: () => control.advisories.list({ limit: NEWEST, sent_by: 'app' }),
  all: () => control.advisories.list({ limit: NEWEST }),
};

/** The newest advisories with counts per client, reloaded when the feed reports more. */
export const useAdvisories = () =>
  useLoaded(
    LOAD[usePreference('whose')],
    usePage(({ advisories_revision }) => advisories_revision),
  );

const HEADS = [
  'Client',
  'Redundant token requests',
  'Unnecessary re-authorizations',
  'Newest',
  'Exchange',
];
const SHOWN = 20;

function adviceWords({ kind, seconds_left }: AdvisoryEntry): string {
  const left = durationInWords(seconds_left);
  return kind === 'over_fetch'
    ? `requested again with ${left} of the previous token left`
    : `authorized again with ${left} of the previous token left`;
}

interface AdvisoryRowProps {
  readonly counts: Advisories['clients'][number];
  /** Newest first. Older advisories may be missing. */
  readonly newest: readonly AdvisoryEntry[];
}

/** One client's counts and newest advisory. Expands to show earlier ones. */
function AdvisoryRow({ counts, newest }: AdvisoryRowProps) {
  const { client_id, over_fetch, repeated_authorization } = counts;
  const [opened, setOpened] = useState(false);
  const id = useId();
  const now = useSandboxNow();
  const [last] = newest;
  return (
    <>
      <tr>
        <th scope="row">
          <Disclose opened={opened} aria-controls={id} onToggle={() => setOpened(!opened)}>
            {client_id === '' ? 'unknown' : client_id}
            <span className="visually-hidden">, show advisories</span>
          </Disclose>
        </th>
        <td className="figures">{over_fetch.toLocaleString('en')}</td>
        <td className="figures">{repeated_authorization.toLocaleString('en')}</td>
        <td>
          {last === undefined ? (
            `not among the newest ${NEWEST}`
          ) : (
            <>
              {pastInWords(Date.parse(last.at), now)} <small>{adviceWords(last)}</small>
            </>
          )}
        </td>
        <td>{last !== undefined && <ExchangeLink number={last.exchange} />}</td>
      </tr>
      {opened && (
        <tr className={table.opened} id={id}>
          <td colSpan={HEADS.length}>
            <Stack
              component="ol"
              role="list"
              gap={4}
              className="figures"
              aria-label={`Newest advisories of ${client_id}`}
            >
              {newest.slice(0, SHOWN).map((advisory, index) => (
                <Group component="li" gap="sm" key={`${advisory.exchange} ${index}`}>
                  <time dateTime={advisory.at}>{timeOfDay(Date.parse(advisory.at))}</time>
                  <ExchangeLink number={advisory.exchange} />
                  <span title={advisory.text}>{adviceWords(advisory)}</span>
                </Group>
              ))}
            </Stack>
          </td>
        </tr>
      )}
    </>
  );
}

const ABOUT =
  'An app should request a new access token only when the previous one is about to expire. A request while the previous token still has more than 60 s and more than 10% of its lifetime left is reported here. The response is not affected.';

interface AdvisoryPanelProps {
  readonly advisories: ReturnType<typeof useAdvisories>;
}

/** Which clients send redundant token requests, how often, and when last. */
export function AdvisoryPanel({ advisories: { known, problem, retry } }: AdvisoryPanelProps) {
  const whose = usePreference('whose');
  const { shown, more } = useShownRows();
  if (known === null && problem !== null) {
    return <LoadFailed what="advisories" problem={problem} retry={retry} />;
  }
  if (known === null) return <Loading>Loading advisories…</Loading>;
  if (known.clients.length === 0) {
    const title =
      whose === 'app' ? 'No redundant token requests from the app' : 'No redundant token requests';
    return <EmptyState icon={IconMoodCheck} title={title} text={ABOUT} />;
  }
  return (
    <Box
      flex="1 0 auto"
      style={{ overflowX: 'auto' }}
      tabIndex={0}
      role="region"
      aria-label="Advisories"
    >
      <Hint maw="110ch" px="md" py="sm">
        {ABOUT} <Cited text="behaviour 5.12, spec 1.4" />
      </Hint>
      <table className={table.table} style={{ minWidth: 700 }}>
        <Heads names={HEADS} />
        <tbody>
          {known.clients.slice(0, shown).map((counts) => (
            <AdvisoryRow
              key={counts.client_id}
              counts={counts}
              newest={known.items.filter(({ client_id }) => client_id === counts.client_id)}
            />
          ))}
        </tbody>
      </table>
      {more(known.clients.length - shown)}
    </Box>
  );
}
