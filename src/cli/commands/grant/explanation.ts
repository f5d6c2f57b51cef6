// The evaluation of one request as people read it: each check with its rule and verdict, then the cause.

import type { Check, Exchange } from '../../../control/schemas.ts';
import { inOneLine, paint, tame, type Style } from '../../terminal/print.ts';

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
  const rule = tame(check.rule).padEnd(width);
  const first = `${paint(style, verdict)}  ${rule}  ${paint('dim', check.section)}`;
  const rest = check.verdict === 'not_reached' ? [] : operands(check);
  return [first, ...rest.map((line) => `        ${paint('dim', line)}`)];
}

/** Where the rules that were named can be read: the files are part of the package. */
const RULE_BOOK =
  'Rules: docs/specification.md (spec) and docs/behaviour.md (behaviour) in the grantbench package';

const list = (title: string, lines: readonly string[]) =>
  lines.length === 0 ? [] : ['', paint('bold', title), ...lines.map((line) => `  ${tame(line)}`)];

function cause({ why }: Exchange): string[] {
  if (why === null) return [];
  return [why.summary, why.detail, why.advice].filter((line) => line !== null);
}

/** Why there are no checks; nothing where the cause says it. */
function withoutTrace({ fault, why }: Exchange): string[] {
  if (fault !== null) return ['  The request was not validated, so there is no trace.'];
  return why === null ? ['  This endpoint runs no checks, so there is no trace.'] : [];
}

/** Several lines, without one at the end. */
export function explanation(exchange: Exchange): string {
  const { number, method, path, status, error, duration_ms, trace } = exchange;
  const width = Math.max(0, ...trace.map(({ rule }) => rule.length));
  const answer = error === null ? String(status) : `${status} ${error}`;
  const title = `Exchange ${number}: ${method} ${path} got ${answer} in ${duration_ms.toFixed(1)} ms`;
  const checks = trace.flatMap((check) => checkLines(check, width));
  return [
    '',
    paint('bold', tame(title)),
    ...(checks.length === 0 ? withoutTrace(exchange) : checks),
    ...list('Why', cause(exchange)),
    ...list(
      'Deviations',
      exchange.deviation_notes.map(({ text, section }) => `${text} (${section})`),
    ),
    ...list(
      'Advisories',
      exchange.advisory_notes.map(({ text, section }) => `${text} (${section})`),
    ),
    ...list(
      'Fault',
      exchange.fault === null ? [] : [`${exchange.fault.name}: ${exchange.fault.what}`],
    ),
    ...(trace.length === 0 ? [] : ['', paint('dim', RULE_BOOK)]),
  ].join('\n');
}
