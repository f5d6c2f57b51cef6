import { Button } from '@mantine/core';
import { IconClipboardText } from '@tabler/icons-react';
import { useEffect, useRef } from 'react';
import { usePage } from '../../../connection/state.ts';
import { CopyButton } from '../../../ui/CopyButton.tsx';
import { PanelHead } from '../../../ui/PanelHead.tsx';
import { titleOf } from '../draft-words.ts';
import { changeRequests, useRequests } from '../requests-store.ts';
import { ClientBar } from './ClientBar.tsx';
import classes from './Composer.module.css';
import { ComposerTabs } from './ComposerTabs.tsx';
import { NoteList } from './NoteList.tsx';
import { TargetBar } from './TargetBar.tsx';

const startPasting = () => changeRequests((state) => ({ ...state, pasting: true }));

/** The first thing that cannot be sent gets the focus when one tries. */
function useMarkedFocus() {
  const ref = useRef<HTMLDivElement>(null);
  const refused = useRequests((state) => state.refused);
  useEffect(() => {
    if (refused > 0) ref.current?.querySelector<HTMLElement>('[aria-invalid="true"]')?.focus();
  }, [refused]);
  return ref;
}

/** The request at hand, every part of it to be edited. */
export function Composer() {
  const title = useRequests(({ saved_as, draft }) => saved_as ?? titleOf(draft));
  const target = useRequests((state) => state.draft.target);
  const issuer = usePage((state) => state.server?.issuer ?? location.origin);
  const ref = useMarkedFocus();
  return (
    <>
      <PanelHead title={title}>
        <CopyButton value={`${new URL(issuer).origin}${target}`} label="Copy the URL" />
        <Button
          variant="subtle"
          leftSection={<IconClipboardText size="1.1em" aria-hidden="true" />}
          onClick={startPasting}
        >
          Paste curl
        </Button>
      </PanelHead>
      <div ref={ref} className={classes.parts}>
        <TargetBar />
        <ClientBar />
        <NoteList />
        <ComposerTabs />
      </div>
    </>
  );
}
