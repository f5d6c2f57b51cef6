import { useState } from 'react';
import { Autocomplete, NumberInput, Box, Group } from '@mantine/core';
import { exposureQuestion } from '../../../control/questions.ts';
import { isLoopbackHost } from '../../../control/names.ts';
import type { ServerState } from '../../../control/schemas.ts';
import { problemOf, control } from '../../connection/control.ts';
import { obstacleTo } from '../../connection/reach.ts';
import { problemSentence } from '../../ui/problems.ts';
import { appWindow } from '../../actions/window.ts';
import { confirm } from '../../ui/confirm.ts';
import { ActionButton } from '../../ui/buttons.tsx';
import { useNeed } from '../../ui/use-need.ts';
import { hrefOf } from '../../navigation/route.ts';
import { TrustCommand } from '../../ui/CodeBlock.tsx';
import { usePage, page } from '../../connection/state.ts';
import { RowProblem, Section, SettingRow, SwitchRow } from './Section.tsx';
import { CORS_ITEM } from './sections.ts';
import { ValueSetting } from './ValueSetting.tsx';
import { notify } from '../../ui/notify.tsx';

// Changes where the server listens, while it runs. The window remembers the address for the next start.

type Change = Parameters<typeof control.server.start>[0];

const movedText = (former: string, { issuer }: ServerState): string =>
  issuer === former
    ? `Running at ${issuer}`
    : `Running at ${issuer}. Access tokens that name ${former} are rejected from now on.`;

const addressOf = (server: ServerState | null) =>
  JSON.stringify([server?.state, server?.port, server?.host, server?.https]);

/**
 * Resolves to whether the server moved: in the window, the change may be declined.
 * @throws Error why it cannot listen there; it then listens on the former address again
 */
async function moveServer(change: Change): Promise<boolean> {
  const former = page.getState().server;
  const server = await control.server.start(change);
  page.setState({ server });
  if (addressOf(server) === addressOf(former)) return false;
  await appWindow?.rememberAddress();
  notify(movedText(former?.issuer ?? server.issuer, server));
  return true;
}

function useMove() {
  const [busy, setBusy] = useState(false);
  /** Why the server could not be moved, or what is wrong with the typed value. */
  const [problem, setProblem] = useState<string | null>(null);
  /** Resolves to whether the server was moved. */
  const move = async (change: Change): Promise<boolean> => {
    if (busy || obstacleTo('connection') !== null) return false;
    setBusy(true);
    setProblem(null);
    try {
      return await moveServer(change);
    } catch (error) {
      setProblem(problemSentence(problemOf(error)));
      return false;
    } finally {
      setBusy(false);
    }
  };
  return { busy, problem, setProblem, move };
}

const EVERYWHERE = ['0.0.0.0', '::'];

/** In the window, the main process asks for confirmation. */
const confirmed = async (host: string, https: boolean): Promise<boolean> =>
  appWindow !== null ||
  host === '' ||
  isLoopbackHost(host) ||
  confirm({ ...exposureQuestion(host, https), danger: true });

/** The address of the OAuth endpoints. One that other machines can reach must be confirmed. */
function HostSetting({ server }: { readonly server: ServerState }) {
  const [typed, setTyped] = useState<string | null>(null);
  const { busy, problem, setProblem, move } = useMove();
  const current = server.host ?? '';
  const wanted = (typed ?? current).trim();
  const changed = wanted !== current;
  const submit = async () => {
    if (!changed) return;
    if (!(await confirmed(wanted, server.https))) return;
    if (await move({ host: wanted === '' ? null : wanted })) setTyped(null);
  };
  return (
    <SettingRow
      label="Address"
      help={
        <>
          Leave empty to listen on loopback only: {loopback(server)}. <code>0.0.0.0</code> listens
          on all interfaces. The issuer stays <code>localhost</code> unless it is set; set it to the
          name that other machines use.
        </>
      }
    >
      {(labels) => (
        <Group gap="xs" wrap="nowrap" align="flex-start">
          <Autocomplete
            flex={1}
            {...labels}
            placeholder="Loopback only"
            data={EVERYWHERE}
            value={typed ?? current}
            error={problem}
            onChange={(value) => {
              setProblem(null);
              setTyped(value);
            }}
            onKeyDown={(event) => {
              if (event.key === 'Enter') void submit();
            }}
          />
          <ActionButton
            size="sm"
            needs="connection"
            disabled={!changed}
            loading={busy}
            onClick={() => void submit()}
          >
            {server.state === 'running' ? 'Listen' : 'Start'}
          </ActionButton>
        </Group>
      )}
    </SettingRow>
  );
}

const loopback = ({ host, ipv6, state }: ServerState): string =>
  host !== null || ipv6 || state !== 'running' ? '127.0.0.1 and ::1' : '127.0.0.1';

const MOST = 65_535;

function problemWith(typed: number | string): string | null {
  const whole = typeof typed === 'number' && Number.isInteger(typed);
  return whole && typed >= 1 && typed <= MOST
    ? null
    : `It must be a whole number from 1 to ${MOST}.`;
}

function PortSetting({ server }: { readonly server: ServerState }) {
  const [typed, setTyped] = useState<number | string | null>(null);
  const { busy, problem, setProblem, move } = useMove();
  const wanted = typed ?? server.port;
  const changed = wanted !== server.port;
  const submit = async () => {
    const found = problemWith(wanted);
    setProblem(found);
    if (found !== null || !changed) return;
    if (await move({ port: Number(wanted) })) setTyped(null);
  };
  return (
    <SettingRow
      label="Port"
      help="The port of the OAuth endpoints. The issuer changes with it, unless the issuer is fixed."
    >
      {(labels) => (
        <Group gap="xs" wrap="nowrap" align="flex-start">
          <NumberInput
            flex={1}
            {...labels}
            allowDecimal={false}
            allowNegative={false}
            value={wanted}
            error={problem}
            onChange={(value) => {
              if (value !== wanted) setProblem(null);
              setTyped(value);
            }}
            onBlur={() => setProblem(typed === null ? null : problemWith(wanted))}
            onKeyDown={(event) => {
              if (event.key === 'Enter') void submit();
            }}
          />
          <ActionButton
            size="sm"
            needs="connection"
            disabled={!changed}
            loading={busy}
            onClick={() => void submit()}
          >
            {server.state === 'running' ? 'Move' : 'Start'}
          </ActionButton>
        </Group>
      )}
    </SettingRow>
  );
}

const HELP = hrefOf('help', 'guides/https.md');

/** Whether the OAuth endpoints use HTTPS, and how clients can trust the certificate. */
function HttpsSetting({ server }: { readonly server: ServerState }) {
  const { busy, problem, move } = useMove();
  const needs = useNeed('connection');
  const { https, certificate } = server;
  return (
    <>
      <SwitchRow
        label="HTTPS"
        help={
          <>
            Uses your <code>--cert</code> certificate, or a generated localhost certificate. Clients
            must trust it: <a href={HELP}>how to</a>. The issuer then begins with <code>https</code>
            , unless it is set.
          </>
        }
        disabled={busy}
        checked={https}
        {...needs}
        onChange={(checked) => move({ https: checked })}
      />
      {problem !== null && <RowProblem>{problem}</RowProblem>}
      {certificate !== null && (
        <Box px="md" pt="sm" pb="md">
          <TrustCommand certificate={certificate} />
        </Box>
      )}
    </>
  );
}

const HELD =
  appWindow === null
    ? 'Port, address and HTTPS apply until Grantbench stops. Use --port, --host and --https with grantbench serve to set them at every start.'
    : 'Port, address and HTTPS are remembered for the next start.';

const STARTS = 'The server is not running: a change of port, address or HTTPS starts it. ';

export function ServerSection() {
  const server = usePage((state) => state.server);
  if (server === null) return null;
  return (
    <Section
      title="Server"
      about={`Where the OAuth endpoints listen. ${server.state === 'running' ? '' : STARTS}${HELD}`}
    >
      <PortSetting server={server} />
      <HostSetting server={server} />
      <HttpsSetting server={server} />
      <ValueSetting item={CORS_ITEM} />
    </Section>
  );
}
