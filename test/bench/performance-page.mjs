// Generates the page for `--write`.

import { hasAim, markdownTable, summary, tableOfResults } from './report.mjs';

const METHOD = `## How it is measured

\`npm run bench -- --write docs/internals/performance.md\` generated this page.

_Rate_ is how many refresh grants per second a server answers, each with a signed token. _Processor time_ is the time that
the server's process spent on each of them, in user and system mode, over all its threads. A floor is a server that parses
the form, signs and responds, and does nothing else: \`floor-jose\` signs with jose, \`floor-node-crypto\` with
\`node:crypto\` alone. It is what any JavaScript server has to spend. All sign with the same key. Servers are measured in
turn, in several rounds. A ratio is the median of the rounds' ratios; a figure is the median, with the lowest and the
highest.`;

const QUICK = `**These figures mean little.** They come from \`--quick\`, which only shows that the bench works.`;

const LEFT_OUT = `## What the measurement leaves out

- The load generator runs on the same machine and takes processor time from the server. Rates therefore differ from
  those of a server that has the machine to itself; processor time differs less.
- There is no network between the two, no TLS, and no proxy. Connections are kept alive.
- Only refresh grants are under load, with \`client_secret_post\`, one scope and no ID token, except that
  oauth2-mock-server cannot respond without one and signs two tokens.
- Latency is not reported: every connection sends its next request as soon as it has an answer, which hides delays.
- The window and the workbench page are not open. The service captures every exchange, as it always does.
- The floors and the peers keep no exchanges, explain no checks and do not throttle. oauth2-mock-server accepts any
  refresh token.
- Each run takes minutes. \`npm run soak\` watches for what builds up over days.`;

/** What a user gets; a name in braces is that of a row. */
const LEAD = [
  '- Refresh grants: {refresh RS256, product against oauth2-mock-server: rate} times as many per second as oauth2-mock-server with RS256, and {refresh ES256, product against oauth2-mock-server: rate} times with ES256',
  '- Refresh grants: {refresh RS256, product against oidc-provider: rate} times as many per second as oidc-provider with RS256, and {refresh ES256, product against oidc-provider: rate} times with ES256',
  '- Start to first token: {product, start to first token, RS256, key made, against oauth2-mock-server} times as long as oauth2-mock-server, and {product, start to first token, RS256, key made, against oidc-provider} times as long as oidc-provider',
  '- Memory: {memory at rest, product} for a process at rest, and {memory for each of 1,000,000 live tokens} for each live refresh token',
  '- Sandboxes: 100 in one process start in {100 sandboxes in one process: start}, and take {100 sandboxes in one process: memory}',
];

/** Returns the lines whose rows were all measured, below their heading. */
function lead(rows) {
  const figure = (all, name) => {
    const row = rows.find(({ what }) => what === name);
    if (row === undefined) return all;
    return row.unit === 'x' ? row.value.toFixed(1) : `${row.value.toFixed(0)} ${row.unit}`;
  };
  const lines = LEAD.map((line) => line.replaceAll(/\{([^}]+)\}/g, figure));
  const whole = lines.filter((line) => !line.includes('{'));
  return whole.length === 0 ? [] : ['What you get, on the machine below:', whole.join('\n')];
}

function section({ title, about, table, rows }) {
  const others = rows.filter((row) => !hasAim(row));
  const ratios = others.length > 0 ? [markdownTable(tableOfResults(others))] : [];
  return [`## ${title}`, about, markdownTable(table), ...ratios].join('\n\n');
}

export function performancePage({ conditions, quick, results }) {
  const rows = results.flatMap((result) => result.rows);
  const circumstances = { head: ['', ''], lines: Object.entries(conditions) };
  return `${[
    '# Performance',
    ...lead(rows),
    ...(quick ? [QUICK] : []),
    'The [aims](#aims) say which figures we want to improve.',
    METHOD,
    markdownTable(circumstances),
    ...results.map(section),
    `## Aims\n\n${summary(rows)}. An aim is a figure that we want to reach. The open ones are work to do; none is a limit for users.\n\n${markdownTable(tableOfResults(rows.filter(hasAim)))}`,
    LEFT_OUT,
  ].join('\n\n')}\n`;
}
