import { Button, Group, Modal, Text } from '@mantine/core';
import { useStore } from 'zustand';
import { asked } from './confirm.ts';

/** Shows the question that `ask` put; stands once, in App. */
export function ConfirmHost() {
  const { question, opened, answer } = useStore(asked);
  if (question === null) return null;
  return (
    <Modal opened={opened} onClose={() => answer(false)} title={question.title}>
      <Text c="dimmed">{question.body}</Text>
      <Group justify="flex-end" gap="xs" mt="md">
        <Button onClick={() => answer(false)} data-autofocus>
          Cancel
        </Button>
        <Button
          variant="filled"
          {...(question.danger === true ? { color: 'bad' } : {})}
          onClick={() => answer(true)}
        >
          {question.confirm}
        </Button>
      </Group>
    </Modal>
  );
}
