import { afterQuoted } from '../../redact/fields.ts';
import classes from './Raw.module.css';

interface RawTextProps {
  readonly head: string;
  readonly body: string;
  /** The decoded query parameters, one per line; empty if there are none. */
  readonly query?: string;
  /** Raw messages start with the header; pretty ones put it last, as the least interesting part. */
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

/** The contents of a message's `pre`: its header, and its query and body if it has them. */
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

/** Longer texts are not coloured, since each token is an element of its own. */
const MOST_COLOURED = 20_000;

/** JSON in colour, for use inside a `pre`; any other text unchanged. */
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
  /** null for braces, commas and whitespace. */
  readonly kind: JsonKind | null;
  readonly text: string;
}

/** Where a value begins: the quote of a string, or any other value as a whole. */
const VALUE = /"|-?\d[\d.eE+-]*|true|false|null/g;

function kindOf(value: string, after: string): JsonKind {
  if (value.startsWith('"')) return after === ':' ? 'name' : 'string';
  return /^[-\d]/.test(value) ? 'number' : 'word';
}

/** Whether a text begins like a JSON object or array. */
export const isJsonText = (text: string): boolean => /^\s*(?:\{\s*["}]|\[\s*[[{"\]\d-])/.test(text);

/** Splits a text into tokens, which together are the text again. */
export function jsonTokens(text: string): JsonToken[] {
  const tokens: JsonToken[] = [];
  let from = 0;
  for (const { index, 0: found } of text.matchAll(VALUE)) {
    // This match is inside a string.
    if (index < from) continue;
    if (index > from) tokens.push({ kind: null, text: text.slice(from, index) });
    from = found === '"' ? afterQuoted(text, index) : index + found.length;
    const value = text.slice(index, from);
    tokens.push({ kind: kindOf(value, text.charAt(from)), text: value });
  }
  if (from < text.length) tokens.push({ kind: null, text: text.slice(from) });
  return tokens;
}
