import { Button, NumberInput } from '@mantine/core';
import { useState } from 'react';
import type { ServerState } from '../../../control/schemas.ts';
import { control, problemOf } from '../../connection/control.ts';
import { page } from '../../connection/state.ts';
import { notify } from '../../ui/notify.tsx';
import { sentence } from '../../ui/problems.ts';
import { appWindow } from '../../actions/window.ts';
import { SettingRow } from './SettingRow.tsx';
import classes from './Section.module.css';

const MOST = 65_535;

const HELP =
  appWindow === null
    ? 'Applies to this run only. To set it at startup, use grantbench serve --port or GRANTBENCH_PORT.'
    : 'Remembered for the next start.';

function problemWith(typed: number | string): string | null {
  const whole = typeof typed === 'number' && Number.isInteger(typed);
  return whole && typed >= 1 && typed <= MOST
    ? null
    : `It must be a whole number from 1 to ${MOST}.`;
}

/** Binds another port. What was issued under the former address names an issuer that is no more. */
async function moveTo(port: number): Promise<void> {
  const server = await control.server.start({ port });
  page.setState({ server });
  await appWindow?.rememberPort({ port });
  notify(`Running at ${server.issuer}`);
}

/** The port of the OAuth endpoints; the server moves there at once. */
export function PortSetting({ server }: { readonly server: ServerState }) {
  const [typed, setTyped] = useState<number | string | null>(null);
  const [problem, setProblem] = useState<string | null>(null);
  const [busy, setBusy] = useState(false);
  const wanted = typed ?? server.port;
  const changed = wanted !== server.port;
  const move = async () => {
    const found = problemWith(wanted);
    setProblem(found);
    if (found !== null || !changed || busy) return;
    setBusy(true);
    try {
      await moveTo(Number(wanted));
      setTyped(null);
    } catch (error) {
      setProblem(sentence(problemOf(error).message));
    } finally {
      setBusy(false);
    }
  };
  return (
    <SettingRow
      label="Port"
      help={`Where your app finds the OAuth endpoints. The issuer changes with it, unless the issuer is fixed. ${HELP}`}
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
              if (event.key === 'Enter') void move();
            }}
          />
          <Button size="sm" disabled={!changed} loading={busy} onClick={() => void move()}>
            Move
          </Button>
        </div>
      )}
    </SettingRow>
  );
}
