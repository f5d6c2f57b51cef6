import { lazyPart } from '../../../ui/lazy-part.tsx';
import { useComparison } from './comparison-store.ts';

const ComparisonDialog = lazyPart(
  async () => (await import('./ComparisonDialog.tsx')).ComparisonDialog,
);

/** Shows the comparison that is open. */
export function ComparisonHost() {
  const shown = useComparison();
  return shown === null ? null : <ComparisonDialog {...shown} />;
}
