import { useContext, type MouseEvent, type ReactNode } from 'react';
import { hrefOf, navigate, type View } from '../navigation/route.ts';
import { StandsAlone } from './stands-alone.ts';
import classes from './ViewLink.module.css';

interface ViewLinkProps {
  readonly view: View;
  readonly item: string;
  readonly children: ReactNode;
}

/** Leads to something in another view, unless the view that is left has edits to keep. */
export function ViewLink({ view, item, children }: ViewLinkProps) {
  const standsAlone = useContext(StandsAlone);
  if (standsAlone) return children;
  const go = (event: MouseEvent) => {
    event.preventDefault();
    event.stopPropagation();
    void navigate(view, item);
  };
  return (
    <a className={classes.link} href={hrefOf(view, item)} onClick={go}>
      {children}
    </a>
  );
}
