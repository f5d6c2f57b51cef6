import { Button, Textarea } from '@mantine/core';
import { useRef, type ClipboardEvent } from 'react';
import { CopyButton } from '../../ui/CopyButton.tsx';
import { MOST_EDITABLE, setPasted } from './paste-store.ts';
import classes from './Tokens.module.css';

const PREVIEW = 240;

/** Where a token is pasted or typed. Megabytes are held beside the box, so that the page goes on. */
export function PasteBox({ text }: { readonly text: string }) {
  const box = useRef<HTMLTextAreaElement>(null);
  const paste = (event: ClipboardEvent<HTMLTextAreaElement>) => {
    const pasted = event.clipboardData.getData('text/plain');
    if (text.length + pasted.length <= MOST_EDITABLE) return;
    event.preventDefault();
    const { selectionStart, selectionEnd } = event.currentTarget;
    setPasted(text.slice(0, selectionStart) + pasted + text.slice(selectionEnd));
  };
  if (text.length > MOST_EDITABLE) return <HeldText text={text} />;
  return (
    <Textarea
      ref={box}
      label="Token"
      placeholder="eyJhbGciOiJSUzI1NiIsInR5cCI6ImF0K2p3dCJ9.eyJpc3MiOi…"
      autosize
      minRows={4}
      maxRows={7}
      spellCheck={false}
      autoFocus
      classNames={{ input: classes.box }}
      value={text}
      onPaste={paste}
      onChange={(event) => setPasted(event.currentTarget.value)}
    />
  );
}

function HeldText({ text }: { readonly text: string }) {
  return (
    <div className={classes.held} role="group" aria-label="Token">
      <p className={classes.box}>{text.slice(0, PREVIEW)}…</p>
      <p className={classes.note}>
        {text.length.toLocaleString('en')} characters, too many to edit here.
      </p>
      <span className={classes.heldButtons}>
        <CopyButton value={text} label="Copy the pasted text" text="Copy" />
        <Button onClick={() => setPasted('')} autoFocus>
          Clear
        </Button>
      </span>
    </div>
  );
}
