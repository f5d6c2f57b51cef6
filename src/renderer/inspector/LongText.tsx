import { useState } from 'react';
import { CopyButton } from '../ui/CopyButton.tsx';
import classes from './Inspector.module.css';

const AT_FIRST = 1000;
/** Laying out more would hold up the page; the whole can be copied. */
const AT_MOST = 20_000;

interface LongTextProps {
  readonly text: string;
  /** What it is, for the names of its buttons: "claim name". */
  readonly label: string;
}

/** Text of any length: as much as can be laid out at once, and what is left out in words. */
export function LongText({ text, label }: LongTextProps) {
  const [most, setMost] = useState(AT_FIRST);
  if (text.length <= most) return text;
  const left = `${(text.length - most).toLocaleString('en')} more characters`;
  return (
    <>
      {text.slice(0, most)}
      <span className={classes.more}>
        … {left}
        {most < AT_MOST && (
          <button type="button" onClick={() => setMost(AT_MOST)}>
            Show more<span className="visually-hidden"> of {label}</span>
          </button>
        )}
        <CopyButton value={text} label={`Copy ${label}`} />
      </span>
    </>
  );
}
