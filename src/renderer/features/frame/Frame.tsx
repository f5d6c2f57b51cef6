import { Loader } from '@mantine/core';
import { useEffect } from 'react';
import { VIEW_NAMES } from '../../commands.ts';
import { useRoute } from '../../route.ts';
import { usePage } from '../../state.ts';
import { VIEW_COMPONENTS } from '../../views.ts';
import { Banners } from './Banners.tsx';
import classes from './Frame.module.css';
import { Palette } from './Palette.tsx';
import { Rail } from './Rail.tsx';
import { StatusLine } from './StatusLine.tsx';
import { TopBar } from './TopBar.tsx';
import { useRail } from './use-rail.ts';

function Connecting() {
  return (
    <div className={classes.connecting} role="status">
      <Loader size="sm" aria-hidden="true" />
      Connecting to Grantbench…
    </div>
  );
}

export function Frame() {
  const { view, item } = useRoute();
  const loaded = usePage((state) => state.loaded);
  const rail = useRail();
  const Shown = VIEW_COMPONENTS[view];
  useEffect(() => {
    document.title = `${VIEW_NAMES[view]} – Grantbench`;
  }, [view]);
  return (
    <div className={classes.frame} data-rail={rail.narrow ? 'narrow' : 'wide'}>
      <TopBar />
      <Rail narrow={rail.narrow} onToggle={rail.toggle} />
      <main className={classes.main}>
        <h1 className="visually-hidden">{VIEW_NAMES[view]}</h1>
        <Banners />
        <div className={classes.view}>{loaded ? <Shown item={item} /> : <Connecting />}</div>
      </main>
      <StatusLine />
      <Palette />
    </div>
  );
}
