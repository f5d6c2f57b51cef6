import { CopyButton } from './CopyButton.tsx';
import classes from './CodeBlock.module.css';

interface CodeBlockProps {
  readonly text: string;
  /** What copying gives, where the text shown masks a secret. */
  readonly copies?: string;
  /** What the block is, for its name and its copy button: "curl command". */
  readonly label: string;
}

/** Text to read and paste, in the monospace face; scrolls inside itself by keyboard too. */
export function CodeBlock({ text, copies, label }: CodeBlockProps) {
  return (
    <div className={classes.block}>
      <pre className={classes.text} tabIndex={0} role="region" aria-label={label}>
        {text}
      </pre>
      <span className={classes.copy}>
        <CopyButton value={copies ?? text} label={`Copy ${label}`} />
      </span>
    </div>
  );
}
