import { Modal } from '@mantine/core';
import { useState } from 'react';
import { useStore } from 'zustand';
import type { MirrorInput, MirrorSummary } from '../../../control/window-contract.ts';
import type { AppWindow } from '../../actions/window.ts';
import { confirm } from '../../ui/confirm.tsx';
import { hideMirror, mirrorDialog } from './mirror-store.ts';
import { MirrorForm } from './MirrorForm.tsx';
import { MirrorResult } from './MirrorResult.tsx';

const DISCARD = {
  title: 'Discard the mirror?',
  body: 'It is not saved yet.',
  confirm: 'Discard',
  danger: true,
};

interface MirrorDialogProps {
  readonly own: AppWindow;
}

function Opened({ own }: MirrorDialogProps) {
  const [draft, setDraft] = useState<MirrorInput>({ issuer: '', token: '' });
  const [made, setMade] = useState<MirrorSummary | null>(null);
  const show = (summary: MirrorSummary, of: MirrorInput) => {
    setDraft(of);
    setMade(summary);
  };
  const close = async () => {
    if (made === null || (await confirm(DISCARD))) hideMirror();
  };
  return (
    <Modal
      opened
      onClose={() => void close()}
      title={made?.name ?? 'Mirror a provider'}
      size="lg"
      closeButtonProps={{ 'aria-label': 'Close' }}
    >
      {made === null ? (
        <MirrorForm own={own} initial={draft} onMade={show} onClose={hideMirror} />
      ) : (
        <MirrorResult own={own} made={made} onBack={() => setMade(null)} onSaved={hideMirror} />
      )}
    </Modal>
  );
}

/** Makes a workspace that imitates a provider; nothing is changed until it is saved and opened. */
export function MirrorDialog({ own }: MirrorDialogProps) {
  const { opened } = useStore(mirrorDialog);
  return opened ? <Opened own={own} /> : null;
}
