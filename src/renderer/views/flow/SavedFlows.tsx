// Saved flows: the button that opens their menu, and the result of a replay.

import { Button, Group, Popover, Text } from '@mantine/core';
import {
  IconAlertTriangle,
  IconChevronDown,
  IconCircleCheck,
  IconPlayerPlay,
  IconX,
} from '@tabler/icons-react';
import { stopRun } from './run-flow.ts';
import { changeFlow, useFlow } from './flow-store.ts';
import { IconButton } from '../../ui/buttons.tsx';
import { lazyPart, usePrefetch } from '../../ui/lazy-part.tsx';
import { replayInWords, type Replayed } from './run-results.ts';
import classes from './Flow.module.css';

const SavedMenu = lazyPart(async () => (await import('./SavedMenu.tsx')).SavedMenu);

const ComparisonDialog = lazyPart(
  async () => (await import('./ComparisonDialog.tsx')).ComparisonDialog,
);

const UnreadableScenario = lazyPart(
  async () => (await import('./UnreadableScenario.tsx')).UnreadableScenario,
);

const setOpened = (choosing: boolean) => changeFlow((state) => ({ ...state, choosing }));

/** Opens the menu once its code is loaded, so that the focus moves into it. */
export async function openSavedFlows(): Promise<void> {
  await SavedMenu.load().catch(() => undefined);
  setOpened(true);
}

export function SavedFlows() {
  const opened = useFlow((state) => state.choosing);
  const comparison = useFlow((state) => state.comparison);
  const unreadable = useFlow((state) => state.unreadable);
  // Without a connection, the menu can still be opened.
  usePrefetch(SavedMenu.load);
  return (
    <>
      <Popover
        opened={opened}
        onChange={setOpened}
        position="bottom-end"
        width="20rem"
        trapFocus
        returnFocus
      >
        <Popover.Target>
          <Button
            variant="subtle"
            onClick={() => (opened ? setOpened(false) : void openSavedFlows())}
            rightSection={<IconChevronDown />}
          >
            Saved
          </Button>
        </Popover.Target>
        <Popover.Dropdown
          p="sm"
          mah="min(60vh, 420px)"
          className={classes.scroll}
          aria-label="Saved flows and requests"
        >
          <SavedMenu />
        </Popover.Dropdown>
      </Popover>
      {unreadable !== null && <UnreadableScenario {...unreadable} />}
      {comparison !== null && <ComparisonDialog {...comparison} />}
    </>
  );
}

export function ReplayingLine({ name }: { readonly name: string }) {
  return (
    <Group className={classes.replayed} role="status" gap="xs" wrap="nowrap">
      <IconPlayerPlay size="1.2em" color="var(--muted)" aria-hidden="true" />
      <Text size="xs" flex={1} miw={0}>
        “{name}” is running…
      </Text>
      <Button onClick={stopRun} aria-label={`Stop: ${name}`}>
        Stop
      </Button>
    </Group>
  );
}

/** More lines would leave no room for the diagram. The report contains all of them. */
const MOST_LINES = 4;

export function ReplayLine({ replayed }: { readonly replayed: Replayed }) {
  const { name, failure } = replayed;
  const differences = failure?.differences ?? [];
  const rest = differences.length - MOST_LINES;
  const Icon = failure === null ? IconCircleCheck : IconAlertTriangle;
  const dismiss = () => changeFlow((state) => ({ ...state, replayed: null }));
  return (
    <Group
      className={classes.replayed}
      role="status"
      gap="xs"
      wrap="nowrap"
      align="flex-start"
      bg={failure === null ? 'var(--ok-soft)' : 'var(--warn-soft)'}
    >
      <Icon
        size="1.2em"
        color={failure === null ? 'var(--ok)' : 'var(--warn)'}
        aria-hidden="true"
      />
      <Text component="div" size="xs" flex={1} miw={0} className={classes.breaks}>
        <p>
          “{name}” replayed: {replayInWords(replayed)}
        </p>
        {differences.length > 0 && (
          <ul role="list">
            {differences.slice(0, MOST_LINES).map((difference, index) => (
              <li key={index}>{difference}</li>
            ))}
            {rest > 0 && <li>and {rest} more, listed in the report.</li>}
          </ul>
        )}
      </Text>
      <IconButton
        label="Dismiss the result of the replay"
        tip="Dismiss"
        icon={IconX}
        onClick={dismiss}
      />
    </Group>
  );
}
