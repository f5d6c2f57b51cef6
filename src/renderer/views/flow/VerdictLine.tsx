import { IconCircleCheck, IconCircleX } from '@tabler/icons-react';
import { Cited } from '../../ui/links.tsx';
import { ToneLine } from '../../ui/status.tsx';
import type { Verdict } from './run-results.ts';

/** The response expected for a deliberate mistake, and whether it matched. */
export function VerdictLine({ verdict }: { readonly verdict: Verdict }) {
  const { title, section, expected, actual, passed } = verdict;
  return (
    <ToneLine tone={passed ? 'ok' : 'bad'} icon={passed ? IconCircleCheck : IconCircleX}>
      {title}: expected {expected}{' '}
      <span style={{ whiteSpace: 'nowrap' }}>
        (<Cited text={section} />
        );
      </span>{' '}
      <b>{passed ? 'matched' : `actual ${actual}`}</b>
    </ToneLine>
  );
}
