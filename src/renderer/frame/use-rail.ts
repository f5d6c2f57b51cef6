import { useMediaQuery } from '@mantine/hooks';
import { isRailNarrow, TIGHT, useAppearance } from '../ui/appearance.ts';

/** Whether the rail shows icons only: as chosen, else where there is little room. */
export function useRail(): boolean {
  const { rail } = useAppearance();
  const tight = useMediaQuery(TIGHT, matchMedia(TIGHT).matches);
  return isRailNarrow(rail, tight);
}
