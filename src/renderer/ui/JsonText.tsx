import classes from './JsonText.module.css';
import { isJsonText, jsonTokens } from './json-tokens.ts';

/** More is shown without colour: each part is an element of its own. */
const MOST_COLOURED = 20_000;

/** JSON in colour, to stand in a `pre`; any other text as it is. */
export function JsonText({ text }: { readonly text: string }) {
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
