// Reports failures immediately and counts them for the summary, with the amount of work done.

const MOST_PRINTED_OF_A_KIND = 2;

/** Printable and bounded to the first bytes, which usually cause a failure. */
export function excerpt(bytes, longest = 600) {
  const text = Buffer.from(bytes).toString('latin1');
  const shown = JSON.stringify(text.slice(0, longest));
  return text.length > longest ? `${shown}… (${text.length} bytes or more)` : shown;
}

export function createFindings() {
  const counts = new Map();
  return {
    /** @param what the failure in one line, equal for equal failures @param details lines that help to find the cause */
    add: (what, details = []) => {
      const count = (counts.get(what) ?? 0) + 1;
      counts.set(what, count);
      if (count > MOST_PRINTED_OF_A_KIND) return;
      console.error(`\nFOUND: ${what}`);
      for (const line of details) console.error(`  ${line}`);
    },
    list: () => [...counts].map(([what, count]) => ({ what, count })),
  };
}

/** Named counts. */
export function createFigures() {
  const counts = new Map();
  return {
    count: (name, by = 1) => counts.set(name, (counts.get(name) ?? 0) + by),
    get: (name) => counts.get(name) ?? 0,
    entries: () => [...counts].sort(([one], [other]) => one.localeCompare(other)),
  };
}
