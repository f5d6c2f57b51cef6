import { Button, NumberInput } from '@mantine/core';
import { useState } from 'react';
import type { ServerState } from '../../../control/schemas.ts';
import { SettingRow } from './SettingRow.tsx';
import classes from './Section.module.css';
import { useMove } from './use-move.ts';
import { useNeed } from '../../ui/use-need.ts';

const MOST = 65_535;

function problemWith(typed: number | string): string | null {
  const whole = typeof typed === 'number' && Number.isInteger(typed);
  return whole && typed >= 1 && typed <= MOST
    ? null
    : `It must be a whole number from 1 to ${MOST}.`;
}

/** The port of the OAuth endpoints; the server moves there at once. */
export function PortSetting({ server }: { readonly server: ServerState }) {
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
