import { Box, Button, Stack } from '@mantine/core';
import { NameForm, SavedList } from '../../saved/SavedList.tsx';
import { save } from '../../saved/saved.ts';
import { Hint } from '../../ui/panel.tsx';
import { ActionButton } from '../../ui/buttons.tsx';
import { chooseComparison, openScenario, recorded } from './flow-actions.ts';
import { changeFlow, flow, useFlow } from './flow-store.ts';
import classes from './Flow.module.css';

const close = () => changeFlow((state) => ({ ...state, choosing: false }));

/** Saves the flow by name, replays saved flows and scenario files, and opens comparisons. */
export function SavedMenu() {
  const done = useFlow((state) => state.events.length > 0);
  const busy = useFlow((state) => state.running !== null);
  const open = () => {
    if (busy) return;
    close();
    openScenario();
  };
  const compare = () => {
    close();
    chooseComparison();
  };
  return (
    <Stack gap="sm">
      <Box mah="min(30vh, 220px)" className={classes.scroll}>
        <SavedList
          first="flow"
          busy={busy}
          onOpen={close}
          empty={
            <Hint>
              Nothing is saved. You can replay a saved flow here, step by step. The replay stops at
              the first unexpected response.
            </Hint>
          }
        />
      </Box>
      {done && (
        <NameForm
          kind="flow"
          label="Save this flow as"
          placeholder="Checkout, happy path"
          description="Every request and its response, as a scenario without secrets."
          initial={flow.getState().name ?? ''}
          save={async (name, replace) => {
            const saved_at = new Date().toISOString();
            return save({ saved_at, scenario: await recorded(name) }, replace);
          }}
          onSaved={(name) => changeFlow((state) => ({ ...state, name, choosing: false }))}
        />
      )}
      <ActionButton variant="subtle" busy={busy} needs="server" onClick={open}>
        Open a scenario…
      </ActionButton>
      <Button variant="subtle" onClick={compare}>
        Open a comparison with a provider…
      </Button>
    </Stack>
  );
}
