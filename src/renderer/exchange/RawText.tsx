import classes from './Raw.module.css';

interface RawTextProps {
  readonly head: string;
  readonly body: string;
}

/** What stands in the `pre` of a raw message: its head, and its body if it has one. */
export function RawText({ head, body }: RawTextProps) {
  return (
    <>
      <span className={classes.head}>{head}</span>
      {body !== '' && <span className={classes.body}>{body}</span>}
    </>
  );
}
