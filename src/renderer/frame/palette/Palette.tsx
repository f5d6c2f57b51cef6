import { Modal } from '@mantine/core';
import { useStore } from 'zustand';
import classes from './Palette.module.css';
import { closePalette, palette } from '../palette-store.ts';
import { PaletteSearch } from './PaletteSearch.tsx';

/** Everything that can be run or opened, behind Ctrl/Cmd K. Its place and size do not depend on what is found. */
export function Palette() {
  const { opened } = useStore(palette);
  return (
    <Modal
      opened={opened}
      onClose={closePalette}
      returnFocus={false}
      withCloseButton={false}
      centered={false}
      padding={0}
      size={600}
      yOffset="10dvh"
      overlayProps={{ backgroundOpacity: 0.5 }}
      attributes={{ content: { 'aria-label': 'Command palette' } }}
      classNames={{ content: classes.content ?? '', body: classes.body ?? '' }}
    >
      <PaletteSearch />
    </Modal>
  );
}
