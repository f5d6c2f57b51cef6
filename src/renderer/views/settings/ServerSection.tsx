import { appWindow } from '../../actions/window.ts';
import { usePage } from '../../connection/state.ts';
import { HostSetting } from './HostSetting.tsx';
import { HttpsSetting } from './HttpsSetting.tsx';
import { PortSetting } from './PortSetting.tsx';
import { Section } from './Section.tsx';
import { CORS_ITEM } from './sections.ts';
import { ValueSetting } from './ValueSetting.tsx';

const HELD =
  appWindow === null
    ? 'Port, address and HTTPS hold for this run; grantbench serve has --port, --host and --https for every start.'
    : 'Port, address and HTTPS are remembered for the next start.';

/** Where the service listens; it moves at once. */
export function ServerSection() {
  const server = usePage((state) => state.server);
  if (server === null) return null;
  return (
    <Section title="Server" about={`Where the OAuth endpoints listen. ${HELD}`}>
      <PortSetting server={server} />
      <HostSetting server={server} />
      <HttpsSetting server={server} />
      <ValueSetting item={CORS_ITEM} />
    </Section>
  );
}
