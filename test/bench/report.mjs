// The report: absolute figures of each part as context, and the ratios with their aims at the end.

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
export const isMissed = (entry) => hasAim(entry) && !entry.rule.holds(entry.value, entry.aim);

function figure(value, unit) {
  const digits = unit === 'x' ? 2 : value < 10 ? 1 : 0;
  return `${value.toFixed(digits)} ${unit}`;
}

function cells(entry) {
  const { what, value, aim, unit, rule } = entry;
  if (!hasAim(entry)) return [what, figure(value, unit), '', ''];
  const verdict = isMissed(entry) ? 'MISSED' : 'met';
  return [what, figure(value, unit), `${rule.sign} ${aim} ${unit}`, verdict];
}

function printTable(head, lines) {
  const all = [head, ...lines];
  const widths = head.map((_, column) => Math.max(...all.map((line) => line[column].length)));
  const print = (line) =>
    console.log(
      line
        .map((cell, column) => cell.padEnd(widths[column]))
        .join('  ')
        .trimEnd(),
    );
  print(head);
  print(widths.map((width) => '-'.repeat(width)));
  lines.forEach(print);
}

export function printAims(rows) {
  printTable(['measured', 'value', 'aim', ''], rows.map(cells));
}

/** One line per server, one column per named list of measurements. */
export function printFigures(title, unit, names, columns) {
  console.log(`${title} (${unit}; median, lowest to highest)`);
  const head = ['', ...Object.keys(columns)];
  const lines = names.map((name) => [
    name,
    ...Object.values(columns).map((measured) => spread(measured[name])),
  ]);
  printTable(head, lines);
}

function spread(values) {
  if (!values?.length) return '';
  const sorted = [...values].sort((a, b) => a - b);
  const whole = (value) => Math.round(value).toString();
  const middle = whole(sorted[sorted.length >> 1]);
  return `${middle} (${whole(sorted[0])} to ${whole(sorted.at(-1))})`;
}
