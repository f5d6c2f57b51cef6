import { JsonText } from '../ui/JsonText.tsx';
import classes from './Raw.module.css';

interface RawTextProps {
  readonly head: string;
  readonly body: string;
  /** The parameters of the query, one a line; empty without any. */
  readonly query?: string;
  /** As it went over the wire, the head is first; read, it is what one looks at last. */
  readonly bodyFirst: boolean;
}

function Part({ title, text }: { readonly title: string; readonly text: string }) {
  if (text === '') return null;
  return (
    <span className={classes.part}>
      <span className={classes.title}>{title}</span>
      <JsonText text={text} />
    </span>
  );
}

/** What stands in the `pre` of a message: its head, and its query and body where it has them. */
export function RawText({ head, body, query = '', bodyFirst }: RawTextProps) {
  const headText = <span className={classes.head}>{head}</span>;
  if (!bodyFirst) {
    return (
      <>
        {headText}
        {body !== '' && <span className={classes.body}>{body}</span>}
      </>
    );
  }
  return (
    <>
      <Part title="Body" text={body} />
      <Part title="Query" text={query} />
      {headText}
    </>
  );
}
