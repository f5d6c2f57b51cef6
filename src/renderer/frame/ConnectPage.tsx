import { IconKey } from '@tabler/icons-react';
import { EmptyState } from '../ui/EmptyState.tsx';
import classes from './ConnectPage.module.css';

/** Stands instead of the page when the control token is missing or refused. */
export function ConnectPage() {
  return (
    <main className={classes.page}>
      <h1 className="visually-hidden">Grantbench</h1>
      <EmptyState
        icon={<IconKey size="1.5em" stroke={1.5} />}
        title="Open the address that Grantbench printed"
        text="This page needs the access token in that address. A new token is generated at each start, unless GRANTBENCH_CONTROL_TOKEN sets one. Look at the terminal where grantbench runs and open the whole URL, including the part after #token=."
      />
    </main>
  );
}
