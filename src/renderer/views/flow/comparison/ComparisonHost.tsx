import { Suspense } from 'react';
import { lazyPart } from '../../../ui/lazy-part.ts';
import { useComparison } from './comparison-store.ts';

const ComparisonDialog = lazyPart(
  async () => (await import('./ComparisonDialog.tsx')).ComparisonDialog,
);

/** Shows the comparison that is open. */
export function ComparisonHost() {
  const shown = useComparison();
  if (shown === null) return null;
  return (
    <Suspense>
      <ComparisonDialog {...shown} />
    </Suspense>
  );
}
