import { IconAlertTriangle, IconCircleX } from '@tabler/icons-react';
import type { Finding } from '../../oauth/findings.ts';
import classes from './Inspector.module.css';
import { Cited } from '../ui/links.tsx';

const ICONS = { bad: IconCircleX, warn: IconAlertTriangle } as const;

/** What is wrong with the token as a whole. */
export function Findings({ findings }: { readonly findings: readonly Finding[] }) {
  if (findings.length === 0) return null;
  return (
    <ul className={classes.findings} aria-label="Findings">
      {findings.map(({ tone, title, text }) => {
        const Icon = ICONS[tone];
        return (
          <li key={title} className={classes.signature} data-tone={tone}>
            <Icon aria-hidden="true" />
            <span>
              <b>{title}</b> <Cited text={text} />
            </span>
          </li>
        );
      })}
    </ul>
  );
}
