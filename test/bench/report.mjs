// What a part reports: its `title`, a sentence `about` how it measures, `rows` of ratios and other results, some with an
// aim, and a `table` of the figures behind them.

const atLeast = { sign: '>=', holds: (value, aim) => value >= aim };
const atMost = { sign: '<=', holds: (value, aim) => value <= aim };

const row =
  (rule) =>
  (what, value, aim, unit = 'x') => ({ what, value, aim, unit, rule });

/** A figure that has to reach its aim. */
export const reach = row(atLeast);
/** A figure that has to stay below its aim. */
export const stay = row(atMost);
/** A figure without an aim. */
export const note = (what, value, unit = 'x') => ({ what, value, unit });

export const hasAim = ({ rule }) => rule !== undefined;
const isMissed = (entry) => hasAim(entry) && !entry.rule.holds(entry.value, entry.aim);

function figure(value, unit) {
  const digits = unit === 'x' ? 2 : value < 10 ? 1 : 0;
  return `${value.toFixed(digits)} ${unit}`;
}

function cells(entry) {
  const { what, value, aim, unit, rule } = entry;
  if (!hasAim(entry)) return [what, figure(value, unit)];
  const verdict = isMissed(entry) ? 'open' : 'met';
  return [what, figure(value, unit), `${rule.sign} ${aim} ${unit}`, verdict];
}

export function tableOfResults(rows) {
  const columns = rows.some(hasAim) ? 4 : 2;
  const fill = (line) => Array.from({ length: columns }, (_, i) => line[i] ?? '');
  return {
    head: fill(['measured', 'value', 'aim']),
    lines: rows.map((entry) => fill(cells(entry))),
  };
}

export function summary(rows) {
  const aims = rows.filter(hasAim).length;
  if (aims === 0) return 'no aims';
  const missed = rows.filter(isMissed).length;
  return missed
    ? `${aims - missed} of ${aims} aims met, ${missed} open`
    : `${aims} of ${aims} aims met`;
}

function spread(values) {
  if (!values?.length) return '';
  const sorted = [...values].sort((a, b) => a - b);
  const whole = (value) => Math.round(value).toString();
  const middle = whole(sorted[sorted.length >> 1]);
  return `${middle} (${whole(sorted[0])} to ${whole(sorted.at(-1))})`;
}

/** One line per name, one column per named list of measurements: the median, and the lowest to the highest. */
export const tableOfFigures = (names, columns) => ({
  head: ['', ...Object.keys(columns)],
  lines: names.map((name) => [
    name,
    ...Object.values(columns).map((measured) => spread(measured[name])),
  ]),
});

/** For the terminal. */
export function plainTable({ head, lines }) {
  const all = [head, ...lines];
  const widths = head.map((_, column) => Math.max(...all.map((line) => line[column].length)));
  const rule = widths.map((width) => '-'.repeat(width));
  return [head, rule, ...lines]
    .map((line) =>
      line
        .map((cell, column) => cell.padEnd(widths[column]))
        .join('  ')
        .trimEnd(),
    )
    .join('\n');
}

export function markdownTable({ head, lines }) {
  const line = (each) => `| ${each.join(' | ')} |`;
  return [line(head), `|${'---|'.repeat(head.length)}`, ...lines.map(line)].join('\n');
}
