import type { ServerState } from '../../../control/schemas.ts';
import { usePage } from '../../connection/state.ts';
import { PortSetting } from './PortSetting.tsx';
import { Section } from './Section.tsx';
import classes from './Section.module.css';
import { CORS_ITEM } from './sections.ts';
import { SettingRow } from './SettingRow.tsx';
import { ValueSetting } from './ValueSetting.tsx';

function addressOf({ host, ipv6, state }: ServerState): string {
  if (host !== null) return host;
  return ipv6 || state !== 'running' ? '127.0.0.1 and ::1' : '127.0.0.1';
}

function protocolWords({ host, https }: ServerState): string {
  if (https) return 'HTTPS only.';
  return host === null
    ? 'Without encryption, which loopback does not need.'
    : 'Without encryption.';
}

/** Where the service listens: what can be changed while it runs, and how to change the rest. */
export function ServerSection() {
  const server = usePage((state) => state.server);
  if (server === null) return null;
  return (
    <Section
      title="Server"
      about="Where the OAuth endpoints listen. Options that are set at startup are shown with the command that sets them."
    >
      <PortSetting server={server} />
      <SettingRow
        end
        label="Address"
        help={
          <>
            {server.host === null
              ? 'Loopback only: no other machine reaches it. '
              : 'Set at startup. '}
            <code>grantbench serve --host 0.0.0.0</code> makes it reachable from the network
            (GRANTBENCH_HOST).
          </>
        }
      >
        {() => <code className={classes.value}>{addressOf(server)}</code>}
      </SettingRow>
      <SettingRow
        end
        label="Protocol"
        help={
          <>
            {protocolWords(server)} <code>grantbench serve --https</code> generates a certificate
            for localhost; <code>--cert</code> and <code>--key</code> take yours.
          </>
        }
      >
        {() => <code className={classes.value}>{server.https ? 'HTTPS' : 'HTTP'}</code>}
      </SettingRow>
      <ValueSetting item={CORS_ITEM} />
    </Section>
  );
}
