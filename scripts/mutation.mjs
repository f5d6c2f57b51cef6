// `npm run mutation [-- area … --force]`: mutation tests of the most critical code. In each area at least 90 % of the
// mutants must be detected by its tests (`thresholds.break` in stryker.config.json), or the command fails.
//
// Mutants in code that runs only when its module loads are left out: the test runner does not load modules again, so
// they survive whatever is tested.
//
// All tests of a mutant run (`disableBail`), because Vitest may lose a failure when it cancels the run after it: the
// mutant would survive.
//
// Results are cached in .stryker/ and reused where neither the code nor its tests changed; --force ignores them, which is
// needed after changes elsewhere.

import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { Stryker } from '@stryker-mutator/core';

/** @param {string} folder @param {string[]} names of files, or patterns */
const tests = (folder, names) => names.map((name) => `test/${folder}/${name}.test.ts`);

/**
 * The mutated files of each area and their fast tests. Property tests and measurements would take too long.
 *
 * @type {Record<string, { mutate: string[], testFiles: string[] }>}
 */
const AREAS = {
  redact: {
    mutate: ['src/redact/**/*.ts'],
    testFiles: tests('redact', ['!(*.properties|hostile-places)']),
  },
  throttle: {
    mutate: ['src/core/throttle/**/*.ts'],
    testFiles: tests('core', ['throttle', 'throttled-requests', 'over-fetch']),
  },
  dpop: {
    mutate: ['src/core/dpop/**/*.ts'],
    testFiles: [
      ...tests('core', ['device-code', 'dpop', 'pushed-requests', 'request-object', 'userinfo']),
      ...tests('flows', ['dpop']),
    ],
  },
  grants: {
    mutate: ['src/core/token-endpoint/**/*.ts'],
    testFiles: tests('core', [
      'advice',
      'audience-scope',
      'client-authentication',
      'client-credentials',
      'code',
      'deleted-client',
      'device-code',
      'explain',
      'id-token',
      'jwt-bearer',
      'lifetimes',
      'on-behalf-of',
      'over-fetch',
      'password-grant',
      'pkce',
      'profiles',
      'refresh',
      'throttled-requests',
      'token-exchange',
      'token-response',
    ]),
  },
  clients: {
    mutate: ['src/core/client-authentication/**/*.ts'],
    testFiles: tests('core', [
      'client-assertion',
      'client-authentication',
      'client-credentials',
      'explain',
      'parameter-limits',
      'profiles',
    ]),
  },
  presented: {
    mutate: ['src/core/presented/**/*.ts'],
    testFiles: [
      ...tests('core', [
        'access-tokens',
        'code',
        'denials',
        'deleted-client',
        'introspection',
        'refresh',
        'revocation',
        'service',
        'token-exchange',
        'userinfo',
      ]),
      ...tests('flows', ['apis', 'dpop', 'introspect', 'shapes', 'sign-in-claims', 'userinfo']),
    ],
  },
  issuing: {
    mutate: ['src/core/issuing/**/*.ts', 'src/core/stores/**/*.ts'],
    testFiles: [
      ...tests('core', [
        'access-token',
        'access-token-log',
        'access-tokens',
        'authorize',
        'client-assertion',
        'client-credentials',
        'deleted-client',
        'denials',
        'id-token',
        'id-token-response',
        'introspection',
        'lifetimes',
        'openid-parameters',
        'profiles',
        'refresh',
        'revocation',
        'service',
        'sign-in',
        'signing',
        'stores',
        'token-exchange',
      ]),
      ...tests('control', ['logout', 'test-tokens']),
      ...tests('flows', ['apis', 'shapes']),
    ],
  },
  persistence: {
    mutate: ['src/engine/kept/**/*.ts', 'src/engine/files/**/*.ts'],
    testFiles: tests('engine', [
      'atomic-file',
      'durable-store',
      'file-system',
      'journal-file',
      'keeping',
      'kept-file',
      'known-text',
      'parse-kept',
      'revocation-journal',
      'save-schedule',
      'saved-file',
      'saving',
    ]),
  },
  oauth: {
    mutate: ['src/oauth/**/*.ts'],
    testFiles: tests('oauth', ['*']),
  },
  scenario: {
    mutate: ['src/scenario/{actions,runner}/*.ts'],
    testFiles: tests('scenario', ['!(*mistake*)']),
  },
  // The lists of mistakes are data. The service is asked about each of them in test/scenario/mistakes.test.ts.
  mistakes: {
    mutate: ['src/scenario/mistakes/{mistake,needs,run-mistakes}.ts'],
    testFiles: tests('scenario', ['one-mistake']),
  },
  flow: {
    mutate: ['src/renderer/views/flow/flow-{document,state}.ts'],
    testFiles: tests('renderer', ['flow', 'flow-document', 'flow-selection']),
  },
};

/** @param {Awaited<ReturnType<Stryker['runMutationTest']>>} results */
function scoreOf(results) {
  const counted = results.filter(({ status }) => status !== 'Ignored');
  const detected = counted.filter(({ status }) => status === 'Killed' || status === 'Timeout');
  return { mutants: counted.length, score: (100 * detected.length) / counted.length };
}

/** @param {string} name @param {boolean} force */
async function mutate(name, force) {
  const stryker = new Stryker({
    ...AREAS[name],
    force,
    configFile: 'stryker.config.json',
    incrementalFile: `.stryker/${name}.json`,
    htmlReporter: { fileName: `.stryker/${name}.html` },
  });
  return scoreOf(await stryker.runMutationTest());
}

const { values, positionals: asked } = parseArgs({
  options: { force: { type: 'boolean', default: false } },
  allowPositionals: true,
});
const unknown = asked.filter((name) => !(name in AREAS));
if (unknown.length > 0) {
  console.error(
    `There is no area ${unknown.join(', ')}: choose among ${Object.keys(AREAS).join(', ')}.`,
  );
  process.exit(2);
}
// A mutant may delete more than its test made.
const temporary = mkdtempSync(join(tmpdir(), 'grantbench-mutation-'));
for (const name of ['TMPDIR', 'TMP', 'TEMP']) process.env[name] = temporary;
process.once('exit', () => {
  rmSync(temporary, { recursive: true, force: true });
});
const lines = [];
for (const name of asked.length > 0 ? asked : Object.keys(AREAS)) {
  const { mutants, score } = await mutate(name, values.force);
  lines.push(`${name}: ${score.toFixed(1)} % of ${mutants} mutants detected`);
}
console.log(`\n${lines.join('\n')}`);
