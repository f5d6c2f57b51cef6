// Buttons that every view uses: with an icon alone, for copying, and for showing more.

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
import { useEffect, type ComponentProps } from 'react';
import classes from './disclose.module.css';
import type { Need } from '../connection/reach.ts';
import { notifyFailure } from './notify.tsx';
import { useNeed, whileBusy } from './use-need.ts';

interface IconButtonProps extends ActionIconProps, ElementProps<'button', keyof ActionIconProps> {
  /** Its accessible name: "Remove header 2". */
  readonly label: string;
  /** The tooltip, if it is shorter than the name. */
  readonly tip?: string;
  readonly icon: Icon;
}

export const IconButton = ({ label, tip = label, icon: Shape, ...button }: IconButtonProps) => (
  <Tooltip label={tip}>
    <ActionIcon aria-label={label} {...button}>
      <Shape />
    </ActionIcon>
  </Tooltip>
);

interface ActionButtonProps extends ButtonProps, ElementProps<'button', keyof ButtonProps> {
  readonly needs: Need;
  /** Whether it does nothing because a run is going on. */
  readonly busy?: boolean;
}

/** A button that does nothing while its requirement is not met. */
export const ActionButton = ({ needs, busy = false, ...button }: ActionButtonProps) => (
  <Button {...button} {...whileBusy(busy)} {...useNeed(needs)} />
);

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
