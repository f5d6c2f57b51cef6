import { Autocomplete, Button } from '@mantine/core';
import { useState } from 'react';
import type { ServerState } from '../../../control/schemas.ts';
import { confirm } from '../../ui/confirm.ts';
import { SettingRow } from './SettingRow.tsx';
import classes from './Section.module.css';
import { useMove } from './use-move.ts';

const EVERYWHERE = ['0.0.0.0', '::'];

const isLoopback = (host: string): boolean =>
  host === '' || host === 'localhost' || host === '::1' || /^127(\.\d{1,3}){3}$/.test(host);

const question = (host: string, https: boolean) => ({
  title: 'Let other machines reach the sandbox?',
  body: `On ${host}, anyone on the network can reach the OAuth endpoints, and they have no protection: the sign-in page asks for no password, so that anyone can sign in as any user.${
    https ? '' : ' Traffic is not encrypted unless HTTPS is on.'
  } The workbench and the control API stay where they are.`,
  confirm: `Listen on ${host}`,
  danger: true,
});

/** The address that the OAuth endpoints are served on; one that others can reach is asked about first. */
export function HostSetting({ server }: { readonly server: ServerState }) {
  const [typed, setTyped] = useState<string | null>(null);
  const { busy, problem, setProblem, move } = useMove();
  const current = server.host ?? '';
  const wanted = (typed ?? current).trim();
  const changed = wanted !== current;
  const submit = async () => {
    if (!changed) return;
    if (!isLoopback(wanted) && !(await confirm(question(wanted, server.https)))) return;
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
          <Button size="sm" disabled={!changed} loading={busy} onClick={() => void submit()}>
            Listen
          </Button>
        </div>
      )}
    </SettingRow>
  );
}

const loopback = ({ host, ipv6, state }: ServerState): string =>
  host !== null || ipv6 || state !== 'running' ? '127.0.0.1 and ::1' : '127.0.0.1';
