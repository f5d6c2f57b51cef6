import { useMediaQuery } from '@mantine/hooks';
import { setRail, useAppearance } from '../../appearance.ts';

const TIGHT = '(max-width: 1100px)';

/** Whether the rail shows icons only: as chosen, else where there is little room. */
export function useRail(): { readonly narrow: boolean; readonly toggle: () => void } {
  const { rail } = useAppearance();
  const tight = useMediaQuery(TIGHT, matchMedia(TIGHT).matches);
  const narrow = rail === 'auto' ? tight : rail === 'narrow';
  return { narrow, toggle: () => setRail(narrow ? 'wide' : 'narrow') };
}
