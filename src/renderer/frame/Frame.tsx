import { Loader } from '@mantine/core';
import { useHotkeys, useMediaQuery } from '@mantine/hooks';
import { useEffect } from 'react';
import { isRailNarrow, TIGHT, useAppearance } from '../ui/preferences.ts';
import { lazyPart } from '../ui/lazy-part.tsx';
import { useRoute } from '../navigation/route.ts';
import { usePage } from '../connection/state.ts';
import { prefetchView, prefetchViews, VIEW_ENTRIES } from './views.ts';
import { Banners } from './Banners.tsx';
import { DropTarget } from './DropTarget.tsx';
import classes from './Frame.module.css';
import { openPalette } from './palette-store.ts';
import { Rail } from './Rail.tsx';
import { StatusLine } from './StatusLine.tsx';
import { TopBar } from './TopBar.tsx';
import { ViewFault } from './ViewFault.tsx';

/** With every command there is, and so with some of every view: it follows the first paint. */
const Commands = lazyPart(async () => (await import('./Commands.tsx')).Commands);

function Connecting() {
  const connecting = usePage((state) => state.connection !== 'refused');
  if (!connecting) return null;
  return (
    <div className={classes.connecting} role="status">
      <Loader size="sm" aria-hidden="true" />
      Connecting to Grantbench…
    </div>
  );
}

function View() {
  const { view, item } = useRoute();
  const { title, Shown } = VIEW_ENTRIES[view];
  return (
    <ViewFault name={title}>
      <Shown item={item} />
    </ViewFault>
  );
}

/** Whether the rail shows icons only: as chosen, else where there is little room. */
function useRail(): boolean {
  const { rail } = useAppearance();
  const tight = useMediaQuery(TIGHT, matchMedia(TIGHT).matches);
  return isRailNarrow(rail, tight);
}

export function Frame() {
  const { view } = useRoute();
  const { title } = VIEW_ENTRIES[view];
  const loaded = usePage((state) => state.loaded);
  const workspace = usePage((state) => state.server?.workspace.name);
  const narrow = useRail();
  useHotkeys([['mod+K', openPalette]], []);
  useEffect(() => {
    const names = [title, workspace, 'Grantbench'];
    document.title = names.filter((name) => name !== undefined).join(' – ');
  }, [title, workspace]);
  useEffect(() => {
    // The view's code comes while the page connects.
    if (!loaded) void prefetchView(view);
  }, [loaded, view]);
  useEffect(() => {
    if (loaded) void prefetchViews();
  }, [loaded]);
  return (
    <div className={classes.frame} data-rail={narrow ? 'narrow' : 'wide'}>
      <TopBar />
      <Rail narrow={narrow} />
      <main className={classes.main}>
        <h1 className="visually-hidden">{title}</h1>
        <Banners />
        <div className={classes.view}>{loaded ? <View /> : <Connecting />}</div>
      </main>
      <StatusLine />
      <DropTarget />
      <Commands />
    </div>
  );
}
