import { CopyButton } from './buttons.tsx';
import classes from './CodeBlock.module.css';

interface CodeBlockProps {
  readonly text: string;
  /** What the copy button copies, if the shown text masks a secret. */
  readonly copies?: string;
  /** Names the block and its copy button: "curl command". */
  readonly label: string;
}

/** Monospaced text to read and copy. It scrolls by itself, also by keyboard. */
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
