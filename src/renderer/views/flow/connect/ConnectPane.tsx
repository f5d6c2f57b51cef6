import { Button } from '@mantine/core';
import {
  IconArrowsLeftRight,
  IconChevronRight,
  IconDownload,
  IconPlayerPlay,
} from '@tabler/icons-react';
import { startServer } from '../../../actions/sandbox.ts';
import { usePage } from '../../../connection/state.ts';
import { runCommand } from '../../../navigation/run-command.ts';
import disclose from '../../../ui/disclose.module.css';
import { PanelHead } from '../../../ui/PanelHead.tsx';
import { pluralize } from '../../../ui/short-forms.ts';
import { AppRequests } from './AppRequests.tsx';
import { AppSettings } from './AppSettings.tsx';
import classes from './Connect.module.css';
import { setConnecting, useConnecting } from './connect-store.ts';
import { useAppTraffic } from '../../../connect/use-app-traffic.ts';

const LEAD =
  'Give your app these settings. Its first request appears here as it arrives, with what it means.';

function Waiting({ running }: { readonly running: boolean }) {
  if (running) {
    return (
      <p className={classes.waiting}>
        <span className={classes.pulse} aria-hidden="true" />
        Waiting for the first request of your app…
      </p>
    );
  }
  return (
    <div className={classes.waiting}>
      The server is stopped, so your app gets no response.
      <Button
        leftSection={<IconPlayerPlay size="1.1em" aria-hidden="true" />}
        onClick={() => void startServer()}
      >
        Start server
      </Button>
    </div>
  );
}

/** What stands beside the flow while no message is selected: the app under test. */
export function ConnectPane() {
  const server = usePage((state) => state.server);
  const settings = usePage((state) => state.settings);
  const traffic = useAppTraffic();
  const connecting = useConnecting();
  if (server === null || settings === null) return null;
  const open = connecting.open ?? traffic === null;
  return (
    <>
      <PanelHead
        title={traffic === null ? 'Connect your app' : 'Your app'}
        note={traffic === null ? undefined : pluralize(traffic.count, 'request')}
      />
      <div className={classes.pane}>
        {traffic === null && <p className={classes.meaning}>{LEAD}</p>}
        {traffic !== null && (
          <>
            <AppRequests {...traffic} />
            <div className={classes.story} role="group" aria-label="Since your app connected">
              <Button
                leftSection={<IconArrowsLeftRight size="1.1em" aria-hidden="true" />}
                onClick={() => void runCommand('app-sequence')}
              >
                Show as sequence
              </Button>
              <Button
                leftSection={<IconDownload size="1.1em" aria-hidden="true" />}
                onClick={() => void runCommand('app-report')}
              >
                Report (HTML)
              </Button>
            </div>
            <button
              type="button"
              className={disclose.disclose}
              aria-expanded={open}
              onClick={() => setConnecting({ open: !open })}
            >
              <IconChevronRight aria-hidden="true" />
              Settings for your app
            </button>
          </>
        )}
        {open && <AppSettings server={server} settings={settings} />}
      </div>
      <div className={classes.foot} role="status">
        {traffic === null && <Waiting running={server.state === 'running'} />}
      </div>
    </>
  );
}
