// A whole `serve` process that receives secrets at every place and in every form: its log and reports contain no
// configured or issued secret.

import { readFileSync, writeFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { callCli } from '../support/call-cli.ts';
import { cliFolder } from '../support/cli-folder.ts';
import { FORMS, PLACES, sendWritten, reveals, writeRequest } from '../support/secret-places.ts';
import { ask, exchange, issueCode } from '../support/token-calls.ts';

const SECRET = 's3 "a\\b"+%41/&=c;d?e#f~<g>';
const CONTROL_TOKEN = 'a-control-token-of-our-own';

const { at, start } = cliFolder('redaction');

/** Each place once, with its encodings in turn; test/redact/hostile-places.test.ts has all of them. */
const PLACED = PLACES.map((place, index) => ({
  place,
  form: place.forms[index % place.forms.length] ?? 'raw',
}));

test('serve prints no configured or issued secret', async () => {
  const cli = start(['serve', '--port', '0', '--control-port', '0', '--json'], {
    GRANTBENCH_CONTROL_TOKEN: CONTROL_TOKEN,
  });
  const ready = await cli.ready();
  const code = await issueCode(ready);
  const answer = await exchange(ready, await issueCode(ready));
  const { access_token, refresh_token } = (await answer.json()) as Record<string, string>;
  await ask(ready, 'PATCH', '/clients/demo-app', { client_secret: SECRET });
  await ask(ready, 'PATCH', '/settings', { throttle: { mode: 'off' } });

  const secrets = [SECRET, CONTROL_TOKEN, code, access_token ?? '', refresh_token ?? ''];
  const port = Number(new URL(ready.issuer).port);
  for (const [index, { place, form }] of PLACED.entries()) {
    const secret = secrets[index % secrets.length] ?? SECRET;
    await sendWritten(port, writeRequest(place, form, secret));
  }
  await sendWritten(port, { method: 'GET', target: '/the-last-one', headers: [], body: '' });
  await cli.stderr.line(/the-last-one/);

  // The ready line contains the control token for the program that starts serve.
  const reported = [...cli.stderr.lines, ...cli.stdout.lines.slice(1)];
  expect(reported.length).toBeGreaterThan(PLACED.length);
  const leaking = reported.filter((line) =>
    secrets.some((secret) => reveals(line, secret, secret)),
  );
  expect(leaking).toEqual([]);
  const { items } = await ask<{ items: object[] }>(ready, 'GET', '/exchanges?limit=200');
  const shown = items.map((item) => JSON.stringify(item));
  expect(shown.filter((text) => secrets.some((one) => reveals(text, one, one)))).toEqual([]);
});

const SCRIPT = `
const [placed, endpoint] = [JSON.parse(process.env.PLACED), process.env.GRANTBENCH_TOKEN_ENDPOINT];
for (const { headers, body } of placed) {
  await fetch(endpoint, { method: 'POST', headers, body });
}
`;

test('reports of exec contain no secret', async () => {
  writeFileSync(at('script.mjs'), SCRIPT);
  const sent = PLACED.filter(({ place: { name } }) => /^(form|JSON|text)/.test(name)).map(
    ({ place, form }) => {
      const { headers, body } = writeRequest(place, form, 'demo-secret');
      return { headers, body, written: FORMS[form]('demo-secret') };
    },
  );
  const reports = ['report.xml', 'report.json'].map((name) => at(name));
  const flags = reports.flatMap((file) => ['--report', file]);
  const { code, stderr } = await callCli(
    ['exec', ...flags, '--', process.execPath, at('script.mjs')],
    { env: { PLACED: JSON.stringify(sent) } },
  );
  expect(code).toBe(0);
  const texts = [stderr, ...reports.map((file) => readFileSync(file, 'utf8'))];
  for (const text of texts) {
    expect(text).not.toBe('');
    expect(sent.filter(({ written }) => reveals(text, 'demo-secret', written))).toEqual([]);
  }
});
