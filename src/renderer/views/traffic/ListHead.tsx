import { ActionIcon, Button, Tooltip } from '@mantine/core';
import {
  IconArrowsLeftRight,
  IconDownload,
  IconEraser,
  IconPlayerPause,
  IconPlayerPlay,
  IconPlugConnected,
} from '@tabler/icons-react';
import { memo } from 'react';
import { useStore } from 'zustand';
import { useAppTraffic } from '../../connect/app-traffic.ts';
import { PanelHead } from '../../ui/panel.tsx';
import { exporting, stopExport } from './export-exchanges.ts';
import { ExportMenu } from './ExportMenu.tsx';
import { GoToField } from './GoToField.tsx';
import { clearView, showApp, showSequence, togglePause } from './traffic-actions.ts';
import { useTraffic } from './traffic-store.ts';

function Exporting() {
  const progress = useStore(exporting, (state) => state.progress);
  if (progress === null) return null;
  const { done, total } = progress;
  return (
    <>
      <span role="status">
        Exporting {done.toLocaleString('en')} of {total.toLocaleString('en')}
      </span>
      <Button onClick={stopExport}>Stop</Button>
    </>
  );
}

function Pause() {
  const paused = useTraffic((state) => state.paused);
  const label = paused ? 'Follow the newest (P)' : 'Pause the list (P)';
  const Icon = paused ? IconPlayerPlay : IconPlayerPause;
  return (
    <Tooltip label={label}>
      <ActionIcon
        variant={paused ? 'filled' : 'subtle'}
        aria-label="Pause the list"
        aria-pressed={paused}
        onClick={togglePause}
      >
        <Icon size="1.2em" />
      </ActionIcon>
    </Tooltip>
  );
}

function SinceConnected() {
  const known = useAppTraffic() !== null;
  return (
    <Tooltip label="Show what the app sent since it connected as a sequence">
      <ActionIcon aria-label="Since the app connected" disabled={!known} onClick={showApp}>
        <IconPlugConnected size="1.2em" />
      </ActionIcon>
    </Tooltip>
  );
}

interface ControlsProps {
  /** Nothing is listed. */
  readonly isEmpty: boolean;
  readonly onOpen: (number: number) => void;
}

/** They stay as they are while the note counts. */
const Controls = memo(function Controls({ isEmpty, onOpen }: ControlsProps) {
  const selected = useTraffic((state) => state.selected);
  return (
    <>
      <Exporting />
      <GoToField onOpen={onOpen} />
      <Pause />
      <Tooltip label="Show as sequence: what is selected or listed">
        <ActionIcon aria-label="Show as sequence" disabled={isEmpty} onClick={showSequence}>
          <IconArrowsLeftRight size="1.2em" />
        </ActionIcon>
      </Tooltip>
      <SinceConnected />
      <Tooltip label="Clear from view; nothing is deleted">
        <ActionIcon aria-label="Clear from view" disabled={isEmpty} onClick={clearView}>
          <IconEraser size="1.2em" />
        </ActionIcon>
      </Tooltip>
      <ExportMenu
        numbers={selected.size > 1 ? [...selected] : null}
        tooltip="Export: what is selected or listed"
      >
        <ActionIcon aria-label="Export" disabled={isEmpty}>
          <IconDownload size="1.2em" />
        </ActionIcon>
      </ExportMenu>
    </>
  );
});

interface ListHeadProps extends ControlsProps {
  readonly note: string | undefined;
}

export function ListHead({ note, ...props }: ListHeadProps) {
  return (
    <PanelHead title="Traffic" note={note}>
      <Controls {...props} />
    </PanelHead>
  );
}
