import { afterQuoted } from '../../redact/fields.ts';
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

/** More is shown without colour: each part is an element of its own. */
const MOST_COLOURED = 20_000;

/** JSON in colour, to stand in a `pre`; any other text as it is. */
function JsonText({ text }: { readonly text: string }) {
  if (!isJsonText(text)) return text;
  return (
    <>
      {jsonTokens(text.slice(0, MOST_COLOURED)).map(({ kind, text: part }, index) =>
        kind === null ? (
          part
        ) : (
          <span key={index} className={classes[kind]}>
            {part}
          </span>
        ),
      )}
      {text.slice(MOST_COLOURED)}
    </>
  );
}

type JsonKind = 'name' | 'string' | 'number' | 'word';

interface JsonToken {
  /** null for what stands between: braces, commas and blanks. */
  readonly kind: JsonKind | null;
  readonly text: string;
}

/** Where a value begins: a string with its quote, the others whole. */
const VALUE = /"|-?\d[\d.eE+-]*|true|false|null/g;

function kindOf(value: string, after: string): JsonKind {
  if (value.startsWith('"')) return after === ':' ? 'name' : 'string';
  return /^[-\d]/.test(value) ? 'number' : 'word';
}

/** Whether it begins as an object or an array does. */
export const isJsonText = (text: string): boolean => /^\s*(?:\{\s*["}]|\[\s*[[{"\]\d-])/.test(text);

/** All of the text, in its order. */
export function jsonTokens(text: string): JsonToken[] {
  const tokens: JsonToken[] = [];
  let from = 0;
  for (const { index, 0: found } of text.matchAll(VALUE)) {
    // What looks like a value inside a string is part of it.
    if (index < from) continue;
    if (index > from) tokens.push({ kind: null, text: text.slice(from, index) });
    from = found === '"' ? afterQuoted(text, index) : index + found.length;
    const value = text.slice(index, from);
    tokens.push({ kind: kindOf(value, text.charAt(from)), text: value });
  }
  if (from < text.length) tokens.push({ kind: null, text: text.slice(from) });
  return tokens;
}
