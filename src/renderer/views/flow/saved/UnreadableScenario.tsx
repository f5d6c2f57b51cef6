import { Button, Group, Modal } from '@mantine/core';
import { changeFlow, useFlow } from '../flow-store.ts';
import classes from './Saved.module.css';

/** A file of another kind has a problem in every line. */
const MOST_PROBLEMS = 20;

const close = () => changeFlow((state) => ({ ...state, unreadable: null }));

/** Why a scenario cannot be run here, or a comparison shown: each problem with its place and its rule. */
export function UnreadableScenario() {
  const unreadable = useFlow((state) => state.unreadable);
  if (unreadable === null) return null;
  const { name, use, problems } = unreadable;
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
