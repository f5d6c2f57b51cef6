import type { Icon } from '@tabler/icons-react';
import type { ReactNode } from 'react';
import classes from './Banner.module.css';

interface BannerProps {
  readonly tone: 'warn' | 'bad';
  readonly icon: Icon;
  readonly title: string;
  readonly children: ReactNode;
  readonly action?: ReactNode;
}

export function Banner({ tone, icon: Shape, title, children, action }: BannerProps) {
  return (
    <div className={classes.banner} data-tone={tone}>
      <Shape className={classes.icon} size="1.23em" aria-hidden="true" />
      <p className={classes.text}>
        <b>{title}</b> {children}
      </p>
      {action !== undefined && <span className={classes.action}>{action}</span>}
    </div>
  );
}
