import { useEffect, useRef } from 'react';
import { hrefOf } from '../../navigation/route.ts';
import { groupsOf, itemOf, sectionsOf, titleOf, type Texts } from './documents.ts';
import classes from './Help.module.css';

/** The sections of the document that is open. */
function Contents({ path, texts }: { readonly path: string; readonly texts: Texts }) {
  const sections = sectionsOf(path, texts.get(path) ?? '').filter(({ depth }) => depth === 2);
  if (sections.length === 0) return null;
  return (
    <ul className={classes.contents}>
      {sections.map(({ anchor, title }) => (
        <li key={anchor}>
          <a className={classes.link} href={hrefOf('help', itemOf(path, anchor))}>
            {title}
          </a>
        </li>
      ))}
    </ul>
  );
}

interface HelpIndexProps {
  readonly texts: Texts;
  /** The document that is open. */
  readonly path: string;
}

/** All documents in groups; the open one with its sections. */
export function HelpIndex({ texts, path }: HelpIndexProps) {
  const current = useRef<HTMLAnchorElement>(null);
  useEffect(() => {
    current.current?.scrollIntoView({ block: 'nearest' });
  }, [path]);
  return groupsOf(texts).map(({ title, paths }) => (
    <section key={title} aria-label={title}>
      <h2 className={classes.group}>{title}</h2>
      <ul className={classes.found}>
        {paths.map((one) => (
          <li key={one}>
            <a
              ref={one === path ? current : undefined}
              className={classes.link}
              href={hrefOf('help', one)}
              aria-current={one === path ? 'page' : undefined}
            >
              {titleOf(one, texts)}
            </a>
            {one === path && <Contents path={path} texts={texts} />}
          </li>
        ))}
      </ul>
    </section>
  ));
}
