import { Textarea, type TextareaProps } from '@mantine/core';
import { type CSSProperties, useState } from 'react';
import classes from './JsonField.module.css';

/** The line that an error message names: "Line 3: …" or "Line 3 is not JSON". */
const lineIn = (problem: unknown): number | null => {
  const line = typeof problem === 'string' ? /^Line (\d+)\b/.exec(problem)?.[1] : undefined;
  return line === undefined ? null : Number(line);
};

interface LinesProps {
  readonly count: number;
  /** The line with the error, from 1. */
  readonly marked: number | null;
  /** How far the text is scrolled, in pixels. */
  readonly scrolled: number;
}

/** The line numbers beside the text, and a band over the line with the error. */
function Lines({ count, marked, scrolled }: LinesProps) {
  const numbers = Array.from({ length: count }, (_, index) => index + 1).join('\n');
  const place = { '--scrolled': `${scrolled}px`, '--marked': (marked ?? 1) - 1 } as CSSProperties;
  return (
    <span className={classes.lines} style={place} aria-hidden="true">
      <span className={classes.numbers}>{numbers}</span>
      {marked !== null && <span className={classes.band} />}
    </span>
  );
}

export function JsonField(props: TextareaProps) {
  const [scrolled, setScrolled] = useState(0);
  const text = typeof props.value === 'string' ? props.value : '';
  const count = text.split('\n').length;
  return (
    <Textarea
      autosize
      minRows={4}
      maxRows={14}
      spellCheck={false}
      wrap="off"
      classNames={{ input: classes.input, section: classes.section }}
      leftSection={<Lines count={count} marked={lineIn(props.error)} scrolled={scrolled} />}
      leftSectionWidth={`calc(${String(count).length}ch + var(--s4))`}
      onScroll={(event) => setScrolled(event.currentTarget.scrollTop)}
      {...props}
    />
  );
}

export function ClaimsField(props: TextareaProps) {
  return <JsonField label="Custom claims" placeholder={'{\n  "role": "admin"\n}'} {...props} />;
}
