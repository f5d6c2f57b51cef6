import { Button } from '@mantine/core';
import { IconHammer } from '@tabler/icons-react';
import type { Settings } from '../../../../control/schemas.ts';
import { useObstacle } from '../../../connection/reach.ts';
import { usePage } from '../../../connection/state.ts';
import { PanelHead } from '../../../ui/panel.tsx';
import { whileBusy } from '../../../ui/use-need.ts';
import { startHammer, useHammer } from './hammer.ts';
import { chosenOf, hammerable } from './hammer-form.ts';
import classes from './Hammer.module.css';
import { HammerFields } from './HammerFields.tsx';
import { HammerResult } from './HammerResult.tsx';

function hintOf(
  obstacle: string | null,
  mode: Settings['throttle']['mode'],
  code: boolean,
): string {
  if (obstacle !== null) return obstacle;
  if (mode === 'off') return 'Throttling is off: requests are not counted, and none is throttled.';
  if (mode === 'observe') return 'Mode observe: requests are counted, but none is throttled.';
  return code
    ? 'Sends one code repeatedly. The first request gets tokens; each later one is a replay.'
    : 'Sends one request repeatedly over real HTTP.';
}

/** Sends one token request many times, to exceed the limit. */
export function HammerPanel({ throttle }: { readonly throttle: Settings['throttle'] }) {
  const clients = usePage((state) => state.clients);
  const obstacle = useObstacle('server');
  const { form, repeated } = useHammer((state) => state);
  const chosen = chosenOf(form, clients, throttle);
  const busy = repeated?.state === 'running';
  return (
    <section className={classes.panel} aria-label="Hammer">
      <PanelHead title="Hammer">
        <Button
          className={classes.send}
          variant="filled"
          leftSection={<IconHammer size="1.1em" aria-hidden="true" />}
          disabled={chosen === null || obstacle !== null}
          onClick={() => void startHammer()}
          {...whileBusy(busy)}
        >
          {chosen === null ? 'Send' : `Send ${chosen.pace.times.toLocaleString('en')}`}
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
            {repeated === null ? (
              <p className={classes.hint}>
                {hintOf(obstacle, throttle.mode, chosen.grant === 'authorization_code')}
              </p>
            ) : (
              <HammerResult repeated={repeated} />
            )}
          </>
        )}
      </div>
    </section>
  );
}
