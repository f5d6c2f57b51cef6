// Parses a typed exchange number, and formats numbers as ranges for requests. Pure.

/** The number in `41`, `#41` or `Grantbench-Exchange: 41`; or null. */
export function readNumber(text: string): number | null {
  const digits = /^\s*(?:grantbench-exchange\s*[:=]\s*)?#?(\d{1,15})\s*$/i.exec(text)?.[1];
  const number = Number(digits ?? 0);
  return number > 0 ? number : null;
}

/** `41,50-60`, in parts with at most `size` numbers each. */
export function numberRanges(numbers: readonly number[], size: number): string[] {
  const rising = [...new Set(numbers)].sort((a, b) => a - b);
  const parts: string[] = [];
  for (let start = 0; start < rising.length; start += size) {
    parts.push(rangesOf(rising.slice(start, start + size)));
  }
  return parts;
}

function rangesOf(rising: readonly number[]): string {
  const ranges: { from: number; to: number }[] = [];
  for (const number of rising) {
    const last = ranges.at(-1);
    if (last?.to === number - 1) last.to = number;
    else ranges.push({ from: number, to: number });
  }
  return ranges.map(({ from, to }) => (from === to ? `${from}` : `${from}-${to}`)).join(',');
}
