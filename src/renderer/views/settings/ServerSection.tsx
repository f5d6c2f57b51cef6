import { useState } from 'react';
import { Autocomplete, Button, NumberInput, Switch } from '@mantine/core';
import { exposureQuestion, isLoopbackHost } from '../../../control/questions.ts';
import type { ServerState } from '../../../control/schemas.ts';
import { moveServer } from '../../actions/listening.ts';
import { problemOf } from '../../connection/control.ts';
import { obstacleTo } from '../../connection/reach.ts';
import { problemSentence } from '../../ui/problems.ts';
import { appWindow } from '../../actions/window.ts';
import { confirm } from '../../ui/confirm.tsx';
import { useNeed } from '../../ui/use-need.ts';
import { hrefOf } from '../../navigation/route.ts';
import { CodeBlock } from '../../ui/CodeBlock.tsx';
import { usePage } from '../../connection/state.ts';
import { SettingRow, Section } from './Section.tsx';
import { CORS_ITEM } from './sections.ts';
import { ValueSetting } from './ValueSetting.tsx';
import classes from './Settings.module.css';

interface Move {
  readonly busy: boolean;
  /** Why the server could not be moved, or what is wrong with what was typed. */
  readonly problem: string | null;
  readonly setProblem: (problem: string | null) => void;
  /** Answers whether it was moved. */
  readonly move: (change: Parameters<typeof moveServer>[0]) => Promise<boolean>;
}

/** Moves the server, and keeps what keeps it from moving. */
function useMove(): Move {
  const [busy, setBusy] = useState(false);
  const [problem, setProblem] = useState<string | null>(null);
  const move: Move['move'] = async (change) => {
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

/** In the window the person is asked natively, when the page asks for such an address. */
const agreed = async (host: string, https: boolean): Promise<boolean> =>
  appWindow !== null ||
  host === '' ||
  isLoopbackHost(host) ||
  confirm({ ...exposureQuestion(host, https), danger: true });

/** The address that the OAuth endpoints are served on; one that others can reach is asked about first. */
function HostSetting({ server }: { readonly server: ServerState }) {
  const [typed, setTyped] = useState<string | null>(null);
  const { busy, problem, setProblem, move } = useMove();
  const needs = useNeed('connection');
  const current = server.host ?? '';
  const wanted = (typed ?? current).trim();
  const changed = wanted !== current;
  const submit = async () => {
    if (!changed) return;
    if (!(await agreed(wanted, server.https))) return;
    if (await move({ host: wanted === '' ? null : wanted })) setTyped(null);
  };
  return (
    <SettingRow
      label="Address"
      help={
        <>
          Empty for loopback only, so that no other machine reaches it: {loopback(server)}.{' '}
          <code>0.0.0.0</code> is every interface. The issuer stays <code>localhost</code> unless it
          is set; set it to the name that other machines use.
        </>
      }
    >
      {(ids) => (
        <div className={classes.pair}>
          <Autocomplete
            aria-labelledby={ids.name}
            aria-describedby={ids.help}
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
          <Button
            size="sm"
            disabled={!changed}
            loading={busy}
            onClick={() => void submit()}
            {...needs}
          >
            Listen
          </Button>
        </div>
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

/** The port of the OAuth endpoints; the server moves there at once. */
function PortSetting({ server }: { readonly server: ServerState }) {
  const [typed, setTyped] = useState<number | string | null>(null);
  const { busy, problem, setProblem, move } = useMove();
  const needs = useNeed('connection');
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
      help="Where your app finds the OAuth endpoints. The issuer changes with it, unless the issuer is fixed."
    >
      {(ids) => (
        <div className={classes.pair}>
          <NumberInput
            aria-labelledby={ids.name}
            aria-describedby={ids.help}
            allowDecimal={false}
            allowNegative={false}
            value={wanted}
            error={problem}
            onChange={setTyped}
            onBlur={() => setProblem(typed === null ? null : problemWith(wanted))}
            onKeyDown={(event) => {
              if (event.key === 'Enter') void submit();
            }}
          />
          <Button
            size="sm"
            disabled={!changed}
            loading={busy}
            onClick={() => void submit()}
            {...needs}
          >
            Move
          </Button>
        </div>
      )}
    </SettingRow>
  );
}

const HELP = hrefOf('help', 'guides/https.md');

/** Whether the OAuth endpoints are served over HTTPS, and how clients come to trust the certificate. */
function HttpsSetting({ server }: { readonly server: ServerState }) {
  const { busy, problem, move } = useMove();
  const needs = useNeed('connection');
  const { https, certificate } = server;
  return (
    <>
      <SettingRow
        end
        label="HTTPS"
        help={
          <>
            Instead of HTTP, with the certificate that the server was started with, or else one for
            localhost that is generated once and kept. Clients have to trust it:{' '}
            <a href={HELP}>how to</a>. The issuer begins with <code>https</code> then, unless it is
            set.
          </>
        }
      >
        {(ids) => (
          <Switch
            size="sm"
            aria-labelledby={ids.name}
            aria-describedby={ids.help}
            disabled={busy}
            checked={https}
            {...needs}
            onChange={(event) => void move({ https: event.currentTarget.checked })}
          />
        )}
      </SettingRow>
      {problem !== null && (
        <p className={classes.problem} role="alert">
          {problem}
        </p>
      )}
      {certificate !== null && (
        <div className={classes.example}>
          <CodeBlock
            text={`NODE_EXTRA_CA_CERTS='${certificate}' node app.js`}
            label="command that trusts the certificate"
          />
        </div>
      )}
    </>
  );
}

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
