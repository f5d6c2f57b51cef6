// JSON as the person types it: the value, or a problem with its line.

export type ReadJson =
  { readonly ok: true; readonly value: unknown } | { readonly ok: false; readonly problem: string };

/** After the problem itself, engines tell its place, or quote the text. */
const PLACE_OR_SOURCE = / in JSON|,? at line \d|, "/;

const lineOf = (text: string, position: number) => text.slice(0, position).split('\n').length;

/** Where the engine's JSON parser stopped: Chromium says `position 12`, Firefox `line 2 column 5`. */
function syntaxProblem(text: string, error: unknown): string {
  const message = error instanceof Error ? error.message : String(error);
  const position = /position (\d+)/.exec(message)?.[1];
  const line = /line (\d+)/.exec(message)?.[1];
  const [what = ''] = message
    .replace(/^JSON(?:\.parse| Parse error): /, '')
    .split(PLACE_OR_SOURCE, 1);
  if (/Unexpected end|end of data|Unexpected EOF|Unterminated/i.test(message)) {
    return `Line ${text.trimEnd().split('\n').length}: the JSON ends too early; a closing brace, bracket or quote is missing.`;
  }
  if (position !== undefined) return `Line ${lineOf(text, Number(position))}: ${what}.`;
  return line === undefined ? `${what}.` : `Line ${line}: ${what}.`;
}

/** The line on which a member's name first stands. */
export const lineOfMember = (text: string, name: string): number => {
  const at = text.indexOf(JSON.stringify(name));
  return at < 0 ? 1 : lineOf(text, at);
};

export function readJson(text: string): ReadJson {
  try {
    return { ok: true, value: JSON.parse(text) as unknown };
  } catch (error) {
    return { ok: false, problem: syntaxProblem(text, error) };
  }
}
