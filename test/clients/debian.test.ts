// Clients in other languages, as Debian packages them, configured as the page shows.

import { execFileSync } from 'node:child_process';
import { request } from '@playwright/test';
import { decodeJwt } from 'jose';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { freePort } from '../support/free-port.ts';
import { APACHE_MODULES, apacheArguments } from './logins/apache.mjs';
import { folderOf, resultOf, serve } from './support/program.ts';
import { GO_PATH, need, PYTHON, RUBY } from './support/runtimes.ts';
import { startSandbox, USER, type Sandbox } from './support/sandbox.ts';

let sandbox: Sandbox;
beforeAll(async () => {
  sandbox = await startSandbox();
});
afterAll(() => sandbox.stop());

const CLIENT = {
  client_secret: `it's "a" secret \\ of 32 characters`,
  redirect_uris: ['http://localhost:3000/callback'],
};

function expectIssued(issued: unknown, client_id: string): void {
  const { first, refreshed } = issued as Record<'first' | 'refreshed', string>;
  expect(first).not.toBe(refreshed);
  for (const token of [first, refreshed]) {
    expect(decodeJwt(token)).toMatchObject({
      iss: sandbox.ready.issuer,
      sub: USER.sub,
      client_id,
    });
  }
}

it('Authlib redeems a code, calls userinfo and refreshes', async (context) => {
  need('python3-authlib', context);
  const settings = await sandbox.settingsOf('authlib', CLIENT);
  const program = `${settings}

import json, requests

answer = requests.get(url, allow_redirects=False)
first = sign_in(answer.headers["Location"])["access_token"]
who = user()
print(json.dumps({"first": first, "user": who, "refreshed": refresh()["access_token"]}))
`;
  const issued = await resultOf({ 'app.py': program }, [PYTHON, 'app.py']);
  expectIssued(issued, 'authlib');
  expect(issued).toMatchObject({ user: USER });
});

it('the oauth2 gem redeems a code, calls userinfo and refreshes', async (context) => {
  need('ruby-oauth2', context);
  const settings = await sandbox.settingsOf('ruby-oauth2', CLIENT);
  const program = `${settings}

require 'json'
require 'net/http'
answer = Net::HTTP.get_response(URI(url))
code = URI.decode_www_form(URI(answer['location']).query).to_h['code']
tokens = sign_in.call(code)
puts({ first: tokens.token, user: user.call(tokens), refreshed: refresh.call(tokens).token }.to_json)
`;
  const issued = await resultOf({ 'app.rb': program }, [RUBY, 'app.rb']);
  expectIssued(issued, 'ruby-oauth2');
  expect(issued).toMatchObject({ user: USER });
});

const GO_MAIN = `package main

import (
	"context"
	"encoding/json"
	"io"
	"net/http"
	"os"
	"time"
)

func check(err error) {
	if err != nil {
		panic(err)
	}
}

func main() {
	ctx := context.Background()
	stay := http.Client{CheckRedirect: func(*http.Request, []*http.Request) error { return http.ErrUseLastResponse }}
	shown, err := stay.Get(config.AuthCodeURL("state"))
	check(err)
	location, err := shown.Location()
	check(err)
	tokens, err := config.Exchange(ctx, location.Query().Get("code"))
	check(err)
	answer, err := config.Client(ctx, tokens).Get(os.Args[1] + "/userinfo")
	check(err)
	body, err := io.ReadAll(answer.Body)
	check(err)
	spent := *tokens
	spent.Expiry = time.Now().Add(-time.Minute)
	fresh, err := config.TokenSource(ctx, &spent).Token()
	check(err)
	json.NewEncoder(os.Stdout).Encode(map[string]any{
		"first": tokens.AccessToken, "refreshed": fresh.AccessToken, "user": json.RawMessage(body),
	})
}
`;

// The first run also compiles the standard library.
it('golang.org/x/oauth2 redeems a code, calls userinfo and refreshes', async (context) => {
  need('golang-golang-x-oauth2-dev', context);
  const settings = await sandbox.settingsOf('go-oauth2', CLIENT);
  const files = { 'settings.go': `package main\n\n${settings}\n`, 'main.go': GO_MAIN };
  const issued = await resultOf(
    files,
    ['go', 'run', 'settings.go', 'main.go', sandbox.ready.issuer],
    { GO111MODULE: 'off', GOPATH: GO_PATH },
  );
  expectIssued(issued, 'go-oauth2');
  expect(issued).toMatchObject({ user: USER });
}, 180_000);

const SHOWN_USER = `LoadModule headers_module "${APACHE_MODULES}/mod_headers.so"
Header set X-User "expr=%{REMOTE_USER}"
Header set X-Name "%{OIDC_CLAIM_name}e"
`;

it('mod_auth_openidc signs a user in and passes on the claims', async (context) => {
  need('libapache2-mod-auth-openidc', context);
  const port = await freePort();
  const origin = `http://localhost:${port}`;
  const settings = await sandbox.settingsOf('mod-auth-openidc', {
    ...CLIENT,
    redirect_uris: [`${origin}/callback`],
  });
  const cwd = folderOf({});
  execFileSync('chmod', ['a+rX', cwd]);
  await serve('/usr/sbin/apache2', apacheArguments(cwd, port, `${SHOWN_USER}${settings}`), {
    cwd,
    listens: () => fetch(origin, { redirect: 'manual' }),
  });
  // The module redirects only browsers to sign in, so this client follows redirects and keeps cookies.
  const browser = await request.newContext({ extraHTTPHeaders: { Accept: 'text/html' } });
  const answer = await browser.get(origin);
  const headers = answer.headers();
  expect([answer.status(), await answer.text(), answer.url()]).toEqual([200, 'home', `${origin}/`]);
  expect([headers['x-user'], headers['x-name']]).toEqual([USER.sub, USER.name]);
  await browser.dispose();
});
