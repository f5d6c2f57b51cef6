// Buttons that every view uses: with a requirement, with an icon alone, for copying, and for showing more.

import {
  ActionIcon,
  Button,
  type ButtonProps,
  Tooltip,
  type ActionIconProps,
  type ElementProps,
} from '@mantine/core';
import { useClipboard } from '@mantine/hooks';
import { IconCheck, IconChevronRight, IconCopy, type Icon } from '@tabler/icons-react';
import { useEffect, useState, type ComponentProps } from 'react';
import classes from './disclose.module.css';
import type { Need } from '../connection/reach.ts';
import { notifyFailure } from './notify.tsx';
import { useNeed, whileBusy } from './use-need.ts';

interface Action {
  /** What it requires: while that is not met, the button does nothing. Absent if it concerns the page only. */
  readonly needs?: Need | undefined;
  /** Whether it does nothing because a run is going on. */
  readonly busy?: boolean | undefined;
  /** What a click runs, for a button that shows that it is loading meanwhile. */
  readonly run?: (() => Promise<unknown>) | undefined;
}

/** The props of a button that does what its action says. */
function useAction<P extends Action>({ needs, busy, run, ...button }: P) {
  const [loading, setLoading] = useState(false);
  const onClick = () => {
    setLoading(true);
    void run?.().finally(() => setLoading(false));
  };
  return { ...button, ...(run && { loading, onClick }), ...whileBusy(busy), ...useNeed(needs) };
}

interface ActionButtonProps
  extends Action, ButtonProps, ElementProps<'button', keyof ButtonProps> {}

export const ActionButton = (props: ActionButtonProps) => <Button {...useAction(props)} />;

interface IconButtonProps
  extends Action, ActionIconProps, ElementProps<'button', keyof ActionIconProps> {
  /** Its accessible name: "Remove header 2". */
  readonly label: string;
  /** The tooltip, if it is shorter than the name. With a title, which is cheaper in a long list, there is none. */
  readonly tip?: string;
  readonly icon: Icon;
}

export function IconButton(props: IconButtonProps) {
  const { label, tip = label, icon: Shape, ...button } = props;
  const drawn = (
    <ActionIcon aria-label={label} {...useAction(button)}>
      <Shape />
    </ActionIcon>
  );
  return button.title === undefined ? <Tooltip label={tip}>{drawn}</Tooltip> : drawn;
}

interface DiscloseProps extends ComponentProps<'button'> {
  /** Whether what it shows is shown. */
  readonly opened: boolean;
  readonly onToggle: () => void;
}

/** A button that shows more below it, or hides that again. */
export const Disclose = ({ opened, onToggle, children, ...button }: DiscloseProps) => (
  <button
    type="button"
    className={classes.disclose}
    aria-expanded={opened}
    onClick={onToggle}
    {...button}
  >
    <IconChevronRight aria-hidden="true" />
    {children}
  </button>
);

const SHOWN_MS = 1500;

interface CopyButtonProps {
  readonly value: string;
  /** Its accessible name: "Copy base URL". */
  readonly label: string;
  /** Shown beside the icon; absent for the icon alone. */
  readonly text?: string;
}

/** Copies a value and confirms it, visually and for screen readers. */
export function CopyButton({ value, label, text }: CopyButtonProps) {
  const { copy: write, copied, error } = useClipboard({ timeout: SHOWN_MS });
  useEffect(() => {
    if (error !== null)
      notifyFailure('Copying failed. Select the text and copy it manually.', error);
  }, [error]);
  const copy = () => write(value);
  const Shape = copied ? IconCheck : IconCopy;
  return (
    <>
      {text === undefined ? (
        <IconButton label={label} tip={copied ? 'Copied' : label} icon={Shape} onClick={copy} />
      ) : (
        <Button variant="subtle" leftSection={<Shape />} onClick={copy} aria-label={label}>
          {copied ? 'Copied' : text}
        </Button>
      )}
      <span role="status" className="visually-hidden">
        {copied ? 'Copied' : ''}
      </span>
    </>
  );
}
