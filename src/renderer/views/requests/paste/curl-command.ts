// Where a curl command begins in what was pasted: after the prompt of a shell, after variables that are
// set for it, after the path of the program, on the first line that has one.

/** `curl`, `/usr/bin/curl`, `C:\tools\curl.exe`. */
const PROGRAM = /^(?:[\w./\\:-]*[/\\])?curl(?:\.exe)?$/i;
const WORD = /\S+/y;
const BLANKS = /[ \t]*/y;
const ASSIGNMENT = /^\w+=/;
/** One of these ends a prompt: `user@host:~$`. */
const PROMPT_SIGNS = Array.from('$%>#');
/** `PS C:\work>`, `C:\My work>`. */
const WINDOWS_PROMPT = /(?:PS )?[a-z]:\\[^>\n]*>/iy;

/** The end of what a sticky pattern matches here; the same place when it does not. */
function after(pattern: RegExp, text: string, at: number): number {
  pattern.lastIndex = at;
  return pattern.test(text) ? pattern.lastIndex : at;
}

/** @param start where the command's own words begin. Returns -1 when they are others than curl's */
function endOfProgram(line: string, start: number): number {
  let at = after(BLANKS, line, start);
  for (;;) {
    const end = after(WORD, line, at);
    const word = line.slice(at, end);
    if (PROGRAM.test(word)) return end;
    const next = after(BLANKS, line, end);
    if (!ASSIGNMENT.test(word) || next === end) return -1;
    at = next;
  }
}

/** Where a command may begin in a line: behind a prompt, or at once. */
function startsIn(line: string): number[] {
  const start = after(BLANKS, line, 0);
  const word = line.slice(start, after(WORD, line, start));
  const signs = PROMPT_SIGNS.flatMap((sign) => [word.lastIndexOf(sign), word.indexOf(sign)]);
  const prompts = signs.filter((at) => at >= 0).map((at) => start + at + 1);
  return [after(WINDOWS_PROMPT, line, start), ...prompts.sort((a, b) => b - a), start];
}

/** The place after the word curl; -1 when no line has such a command. */
export function endOfCurl(text: string): number {
  let start = 0;
  for (const line of text.split(/[\r\n]/)) {
    for (const at of startsIn(line)) {
      const end = endOfProgram(line, at);
      if (end >= 0) return start + end;
    }
    start += line.length + 1;
  }
  return -1;
}
