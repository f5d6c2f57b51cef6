import type { Client } from '../../../control/schemas.ts';
import { redirectUriOf } from '../../connect/input.ts';
import { LibrarySettings } from '../../connect/LibrarySettings.tsx';
import { usePage } from '../../connection/state.ts';
import classes from './ConnectPanel.module.css';

/** What to write into the app that is to be this client. */
export function ConnectPanel({ client }: { readonly client: Client }) {
  const server = usePage((state) => state.server);
  const settings = usePage((state) => state.settings);
  if (server === null || settings === null) return null;
  const given = { client, server, settings, redirect_uri: redirectUriOf(client) };
  return (
    <div className={classes.panel}>
      <LibrarySettings {...given} />
    </div>
  );
}
