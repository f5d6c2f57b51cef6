import { Button, getDefaultZIndex, Group, Modal, Text } from '@mantine/core';
import { useStore } from 'zustand';
import { asked } from './confirm.ts';
import { Cited } from './links.tsx';

const decline = () => asked.getState().answer(false);

/** Shows the dialog of `confirm`; rendered once, in Commands. */
export function ConfirmHost() {
  const { question, opened, answer } = useStore(asked);
  if (question === null) return null;
  return (
    <Modal
      opened={opened}
      onClose={decline}
      // The Escape that asks, in a dialog below, must not answer, too.
      closeOnEscape={false}
      onKeyDown={({ key }) => {
        if (key === 'Escape') decline();
      }}
      title={question.title}
      // The question may be about a dialog that was added to the page later than this one.
      zIndex={getDefaultZIndex('modal') + 1}
    >
      <Text c="dimmed">
        <Cited text={question.body} />
      </Text>
      <Group justify="flex-end" gap="xs" mt="md">
        <Button onClick={decline} data-autofocus>
          Cancel
        </Button>
        <Button
          variant="filled"
          color={question.danger === true ? 'bad' : 'accent'}
          onClick={() => answer(true)}
        >
          {question.confirm}
        </Button>
      </Group>
    </Modal>
  );
}
