import { Button, Group, Modal } from '@mantine/core';
import { changeFlow } from './flow-store.ts';
import type { Unreadable } from './run-results.ts';
import classes from './Flow.module.css';

/** A file that is not a scenario has a problem in every line. */
const MOST_PROBLEMS = 20;

export function UnreadableScenario({ name, use, problems }: Unreadable) {
  const close = () => changeFlow((state) => ({ ...state, unreadable: null }));
  const rest = problems.length - MOST_PROBLEMS;
  return (
    <Modal opened onClose={close} title={`“${name}” cannot be ${use}`}>
      <ul className={classes.problems}>
        {problems.slice(0, MOST_PROBLEMS).map((problem, index) => (
          <li key={index}>{problem}</li>
        ))}
        {rest > 0 && <li>and {rest} more</li>}
      </ul>
      <Group justify="flex-end" mt="md">
        <Button onClick={close} data-autofocus>
          Close
        </Button>
      </Group>
    </Modal>
  );
}
