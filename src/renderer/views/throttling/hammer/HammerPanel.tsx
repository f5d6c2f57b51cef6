import { Button } from '@mantine/core';
import { IconHammer } from '@tabler/icons-react';
import type { Settings } from '../../../../control/schemas.ts';
import { usePage } from '../../../connection/state.ts';
import { PanelHead } from '../../../ui/PanelHead.tsx';
import { whileBusy } from '../../../ui/while-busy.ts';
import { startHammer } from './hammer.ts';
import { chosenOf, hammerable } from './hammer-state.ts';
import { useHammer } from './hammer-store.ts';
import classes from './Hammer.module.css';
import { HammerFields } from './HammerFields.tsx';
import { HammerResult } from './HammerResult.tsx';

function hintOf(stopped: boolean, mode: Settings['throttle']['mode'], code: boolean): string {
  if (stopped) return 'The server is stopped. Start it to send requests.';
  if (mode === 'off') return 'Throttling is off: requests are not counted, and none is throttled.';
  if (mode === 'observe') return 'Mode observe: requests are counted, but none is throttled.';
  return code
    ? 'Sends one code repeatedly. The first request gets tokens; each later one is a replay.'
    : 'Sends one request repeatedly over real HTTP.';
}

/** Sends one token request many times, to exceed the limit. */
export function HammerPanel({ throttle }: { readonly throttle: Settings['throttle'] }) {
  const clients = usePage((state) => state.clients);
  const stopped = usePage((state) => state.server?.state !== 'running');
  const { form, run } = useHammer((state) => state);
  const chosen = chosenOf(form, clients, throttle);
  const busy = run?.state === 'running';
  return (
    <section className={classes.panel} aria-label="Hammer">
      <PanelHead title="Hammer">
        <Button
          className={classes.send}
          variant="filled"
          leftSection={<IconHammer size="1.1em" aria-hidden="true" />}
          disabled={chosen === null || stopped}
          onClick={() => void startHammer()}
          {...whileBusy(busy)}
        >
          {chosen === null ? 'Send' : `Send ${chosen.pace.count.toLocaleString('en')}`}
        </Button>
      </PanelHead>
      <div className={classes.body}>
        {chosen === null ? (
          <p className={classes.hint}>
            No client can send token requests. Register one with the refresh_token or
            client_credentials grant, or with a redirect URI.
          </p>
        ) : (
          <>
            <HammerFields clients={hammerable(clients)} chosen={chosen} />
            {run === null ? (
              <p className={classes.hint}>
                {hintOf(stopped, throttle.mode, chosen.grant === 'authorization_code')}
              </p>
            ) : (
              <HammerResult run={run} />
            )}
          </>
        )}
      </div>
    </section>
  );
}
