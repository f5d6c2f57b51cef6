// Formats exchanges for people: as a list with fixed columns, so that lines can be printed as exchanges arrive, and
// one exchange with its evaluation: each check with rule and verdict, then the cause.

import { causeEntry, SENDER_SHORT, shortGrantName, withoutChecks } from '../../control/names.ts';
import type { Check, Exchange, ExchangeSummary } from '../../control/schemas.ts';
import { pluralize, shortened } from '../../words.ts';
import { answerInWords, styleOf, withoutQuery } from './exchange-line.ts';
import { inOneLine, paint, type Style, withoutControls } from './print.ts';

interface Field {
  readonly title: string;
  readonly width: number;
  readonly right?: boolean;
  readonly text: (exchange: ExchangeSummary) => string;
  readonly style?: (exchange: ExchangeSummary) => Style | undefined;
}

const FIELDS: readonly Field[] = [
  { title: 'TIME', width: 12, text: ({ at }) => at.slice(11, 23), style: () => 'dim' },
  { title: '#', width: 5, right: true, text: ({ number }) => String(number) },
  {
    title: 'STATUS',
    width: 6,
    right: true,
    text: ({ status }) => String(status),
    style: ({ status }) => styleOf(status),
  },
  {
    title: 'MS',
    width: 6,
    right: true,
    text: (one) => one.duration_ms.toFixed(1),
    style: () => 'dim',
  },
  { title: 'REQUEST', width: 22, text: ({ method, path }) => `${method} ${withoutQuery(path)}` },
  {
    title: 'GRANT',
    width: 8,
    text: ({ grant_type }) => (grant_type === null ? '-' : shortGrantName(grant_type)),
  },
  { title: 'CLIENT', width: 14, text: ({ client_id }) => client_id ?? '-' },
  { title: 'SENT BY', width: 9, text: ({ sent_by }) => SENDER_SHORT[sent_by] },
];

function fitted(text: string, { width, right = false }: Field): string {
  const plain = withoutControls(text).replace(/\s+/g, ' ');
  const cut = shortened(plain, ({ length }) => length <= width);
  return right ? cut.padStart(width) : cut.padEnd(width);
}

function remarks({
  error,
  cause,
  fault,
  held,
  advisories,
  deviations,
  throttled,
}: ExchangeSummary): string {
  const parts = [
    error,
    throttled ? 'throttled' : null,
    cause,
    fault === null ? null : `fault: ${fault.name}`,
    held === null ? null : 'hold',
    deviations > 0 ? pluralize(deviations, 'deviation') : null,
    advisories > 0 ? 'advisory' : null,
  ];
  return withoutControls(parts.filter((text) => text !== null).join('; ')).replace(/\s+/g, ' ');
}

export const exchangeTitles = (): string =>
  paint('dim', [...FIELDS.map((field) => fitted(field.title, field)), 'WHY'].join('  '));

export function exchangeRow(exchange: ExchangeSummary): string {
  const cells = FIELDS.map((field) => {
    const text = fitted(field.text(exchange), field);
    const style = field.style?.(exchange);
    return style === undefined ? text : paint(style, text);
  });
  return [...cells, remarks(exchange)].join('  ').trimEnd();
}

const VERDICTS: Readonly<Record<Check['verdict'], readonly [string, Style]>> = {
  passed: ['passed', 'green'],
  failed: ['FAILED', 'red'],
  not_reached: ['  -   ', 'dim'],
};

const SHORT = 60;

const short = (text: string) => {
  const line = inOneLine(text);
  return line.length > SHORT ? `${line.slice(0, SHORT)}…` : line;
};

function operands({ expected, got, note }: Check): string[] {
  const lines: string[] = [];
  if (expected !== null) lines.push(`expected  ${short(expected)}`);
  if (got !== null) lines.push(`actual    ${short(got)}`);
  if (note !== null) lines.push(`note      ${short(note)}`);
  return lines;
}

function checkLines(check: Check, width: number): string[] {
  const [verdict, style] = VERDICTS[check.verdict];
  const rule = withoutControls(check.rule).padEnd(width);
  const first = `${paint(style, verdict)}  ${rule}  ${paint('dim', check.section)}`;
  const rest = check.verdict === 'not_reached' ? [] : operands(check);
  return [first, ...rest.map((line) => `        ${paint('dim', line)}`)];
}

/** Names the documents with the rules, which are part of the package. */
const RULE_BOOK =
  'Rules: docs/specification.md (spec) and docs/behaviour.md (behaviour) in the grantbench package';

/** Names the entry of a cause in the list of all causes, which is part of the package. */
const entryOf = (reason: string) => `About this cause: docs/${causeEntry(reason)}`;

const list = (title: string, lines: readonly string[]) =>
  lines.length === 0
    ? []
    : ['', paint('bold', title), ...lines.map((line) => `  ${withoutControls(line)}`)];

function cause({ why }: Exchange): string[] {
  if (why === null) return [];
  const lines = [why.summary, why.detail, why.advice].filter((line) => line !== null);
  return [...lines, entryOf(why.reason)];
}

/** Says why there are no checks; empty if the cause says so. */
function withoutTrace(exchange: Exchange): string[] {
  const words = withoutChecks(exchange);
  return words === '' ? [] : [`  ${words}`];
}

const withSection = ({ text, section }: { readonly text: string; readonly section: string }) =>
  `${text} (${section})`;

/** Returns several lines without a newline at the end. */
export function explanation(exchange: Exchange): string {
  const { number, method, path, duration_ms, trace } = exchange;
  const width = Math.max(0, ...trace.map(({ rule }) => rule.length));
  const title = `Exchange ${number}: ${method} ${path} got ${answerInWords(exchange)} in ${duration_ms.toFixed(1)} ms`;
  const checks = trace.flatMap((check) => checkLines(check, width));
  return [
    '',
    paint('bold', withoutControls(title)),
    ...(checks.length === 0 ? withoutTrace(exchange) : checks),
    ...list('Why', cause(exchange)),
    ...list('Deviations', exchange.deviation_notes.map(withSection)),
    ...list('Advisories', exchange.advisory_notes.map(withSection)),
    ...list(
      'Fault',
      exchange.fault === null ? [] : [`${exchange.fault.name}: ${exchange.fault.what}`],
    ),
    ...list('Hold', exchange.held === null ? [] : [exchange.held.what]),
    ...(trace.length === 0 ? [] : ['', paint('dim', RULE_BOOK)]),
  ].join('\n');
}
