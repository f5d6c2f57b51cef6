import { Autocomplete, Button } from '@mantine/core';
import { useState } from 'react';
import { exposureQuestion, isLoopbackHost } from '../../../control/questions.ts';
import type { ServerState } from '../../../control/schemas.ts';
import { appWindow } from '../../actions/window.ts';
import { confirm } from '../../ui/confirm.tsx';
import { SettingRow } from './SettingRow.tsx';
import classes from './Section.module.css';
import { useMove } from './use-move.ts';
import { useNeed } from '../../ui/use-need.ts';

const EVERYWHERE = ['0.0.0.0', '::'];

/** In the window the person is asked natively, when the page asks for such an address. */
const agreed = async (host: string, https: boolean): Promise<boolean> =>
  appWindow !== null ||
  host === '' ||
  isLoopbackHost(host) ||
  confirm({ ...exposureQuestion(host, https), danger: true });

/** The address that the OAuth endpoints are served on; one that others can reach is asked about first. */
export function HostSetting({ server }: { readonly server: ServerState }) {
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
