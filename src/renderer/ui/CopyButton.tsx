import { ActionIcon, Button, Tooltip } from '@mantine/core';
import { IconCheck, IconCopy } from '@tabler/icons-react';
import { useEffect, useState } from 'react';
import { notifyFailure } from './notify.tsx';

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
  const [copied, setCopied] = useState(false);
  useEffect(() => {
    if (!copied) return undefined;
    const timer = setTimeout(() => setCopied(false), SHOWN_MS);
    return () => clearTimeout(timer);
  }, [copied]);
  const copy = () => {
    navigator.clipboard.writeText(value).then(
      () => setCopied(true),
      (error: unknown) =>
        notifyFailure('Copying failed. Select the text and copy it manually.', error),
    );
  };
  const icon = copied ? <IconCheck size="1.1em" /> : <IconCopy size="1.1em" />;
  return (
    <>
      {text === undefined ? (
        <Tooltip label={copied ? 'Copied' : label}>
          <ActionIcon onClick={copy} aria-label={label}>
            {icon}
          </ActionIcon>
        </Tooltip>
      ) : (
        <Button variant="subtle" leftSection={icon} onClick={copy} aria-label={label}>
          {copied ? 'Copied' : text}
        </Button>
      )}
      <span role="status" className="visually-hidden">
        {copied ? 'Copied' : ''}
      </span>
    </>
  );
}
