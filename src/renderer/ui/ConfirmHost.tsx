import { Button, getDefaultZIndex, Group, Modal, Text } from '@mantine/core';
import { useStore } from 'zustand';
import { asked } from './confirm.ts';
import { Cited } from './citation/Cited.tsx';

/** Shows the question of `confirm`; rendered once, in App. */
export function ConfirmHost() {
  const { question, opened, answer } = useStore(asked);
  if (question === null) return null;
  return (
    <Modal
      opened={opened}
      onClose={() => answer(false)}
      title={question.title}
      // It is asked of a dialog that may have been put into the page after it.
      zIndex={getDefaultZIndex('modal') + 1}
    >
      <Text c="dimmed">
        <Cited text={question.body} />
      </Text>
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
