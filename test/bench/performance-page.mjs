// The page that `--write` makes of a run.

import { hasAim, markdownTable, summary, tableOfResults } from './report.mjs';

const INTRODUCTION = `# Performance

What a token costs, compared with what any JavaScript server has to spend on it, and with other servers that tests use.
\`npm run bench -- --write docs/internals/performance.md\` made this page.

_Rate_ is how many refresh grants per second a server answers, each with a signed token. _Processor time_ is what the
server's process spent on each of them, in user and system mode, over all its threads. A floor is a server that parses
the form, signs and answers, and does nothing else: \`floor-jose\` signs with jose, \`floor-node-crypto\` with
\`node:crypto\` alone. All sign with the same key. Servers are measured in turn, in several rounds. A ratio is the median
of the rounds' ratios; a figure is the median, with the lowest and the highest.`;

const QUICK = `**These figures mean little.** They come from \`--quick\`, which only shows that the bench works.`;

const LEFT_OUT = `## What the measurement leaves out

- The load generator runs on the same machine and takes processor time from the server. Rates therefore differ from
  those of a server that has the machine to itself; processor time differs less.
- There is no network between the two, no TLS, and no proxy. Connections are kept alive.
- Only refresh grants are under load, with \`client_secret_post\`, one scope and no ID token, except that
  oauth2-mock-server cannot answer without one and signs two tokens.
- Latency is not reported: every connection sends its next request as soon as it has an answer, which hides delays.
- The window and the workbench page are not open. The service captures every exchange, as it always does.
- The floors and the peers keep no exchanges, explain no checks and do not throttle. oauth2-mock-server accepts any
  refresh token.
- Each run takes minutes. What builds up over days is watched by \`npm run soak\`.`;

const ALGORITHMS = ['RS256', 'ES256'];
const PEERS = ['oauth2-mock-server', 'oidc-provider'];

/** How many times as many refresh grants as each peer, where all of it was measured. */
function lead(rows) {
  const ratios = PEERS.map((peer) => {
    const values = ALGORITHMS.map((alg) => {
      const what = `refresh ${alg}, product against ${peer}: rate`;
      return rows.find((row) => row.what === what)?.value.toFixed(1);
    });
    return values.includes(undefined)
      ? null
      : `- ${peer}: ${values.map((value, at) => `${value} times with ${ALGORITHMS[at]}`).join(', ')}`;
  });
  if (ratios.includes(null)) return [];
  return [`Grantbench answers more refresh grants per second than\n\n${ratios.join('\n')}`];
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
    INTRODUCTION,
    ...lead(rows),
    ...(quick ? [QUICK] : []),
    markdownTable(circumstances),
    ...results.map(section),
    `## Aims\n\n${summary(rows)}. An aim is what we want to reach; one that is open is work to do.\n\n${markdownTable(tableOfResults(rows.filter(hasAim)))}`,
    LEFT_OUT,
  ].join('\n\n')}\n`;
}
