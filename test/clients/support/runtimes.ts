// The runtimes that clients in other languages need on this machine. A missing one fails the tests in CI.

import { spawnSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import type { TestContext } from 'vitest';
import { testBrowser } from '../../../scripts/test-runtimes.mjs';
import { APACHE_MODULES } from '../logins/apache.mjs';

export const GO_PATH = '/usr/share/gocode';

/** Debian's own, whatever comes first in PATH. */
export const PYTHON = '/usr/bin/python3';
export const RUBY = '/usr/bin/ruby';

const succeeds = (command: string, ...args: readonly string[]) =>
  spawnSync(command, args, { stdio: 'ignore' }).status === 0;

/** Checks for each runtime, by the package that installs it. */
const FOUND = {
  'python3-authlib': () => succeeds(PYTHON, '-c', 'import authlib, requests'),
  'ruby-oauth2': () => succeeds(RUBY, '-e', "require 'oauth2'"),
  'golang-golang-x-oauth2-dev': () =>
    existsSync(`${GO_PATH}/src/golang.org/x/oauth2`) && succeeds('go', 'version'),
  'golang-github-coreos-go-oidc-dev': () =>
    existsSync(`${GO_PATH}/src/github.com/coreos/go-oidc`) && succeeds('go', 'version'),
  'libapache2-mod-auth-openidc': () => existsSync(`${APACHE_MODULES}/mod_auth_openidc.so`),
  'a Chromium': () => 'binary' in testBrowser(),
};

/** Skips the test with a reason, or fails it in CI. */
export function need(what: keyof typeof FOUND, { skip }: Pick<TestContext, 'skip'>): void {
  if (FOUND[what]()) return;
  const reason = `there is no ${what}: \`npm run setup:test\` installs it where it may`;
  if (process.env['CI'] === 'true') throw new Error(reason);
  skip(reason);
}
