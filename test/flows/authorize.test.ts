// Behaviour 7 over real HTTP: pages, redirects and cookies.

import { describe, expect, it } from 'vitest';
import {
  AUDIENCE,
  type HttpService,
  ownHttpService,
  REDIRECT_URI,
  sendRaw,
  type SettingsDraft,
} from '../support/http-service.ts';
import type { PageSeen, Person } from '../support/person.ts';
import { createPerson, formOf, unescapeHtml } from '../support/person.ts';
import { startHarness } from '../support/harness.ts';
import { authorizePath } from '../support/form-calls.ts';
import { type Client, userSchema } from '../../src/core/records/schemas.ts';

async function start(settings: SettingsDraft = {}, client: Partial<Client> = {}) {
  const http = await ownHttpService(settings, client);
  return { http, person: createPerson(http.url) };
}

const REQUEST = {
  response_type: 'code',
  client_id: 'demo-app',
  redirect_uri: REDIRECT_URI,
  audience: AUDIENCE,
  scope: 'openid orders:read',
  state: 'xyz',
};

const target = (parameters: Record<string, string> = {}) =>
  authorizePath({ ...REQUEST, ...parameters });

/** A user who is shown the sign-in page. */
async function asked(...given: Parameters<typeof start>) {
  const started = await start(...given);
  return { ...started, page: await started.person.visit(target()) };
}

const answerIn = ({ location }: PageSeen) => Object.fromEntries(location?.searchParams ?? []);

const signIn = async (person: Person, parameters?: Record<string, string>) =>
  person.decide(await person.visit(target(parameters)), 'approve');

const words = ({ text }: PageSeen) =>
  unescapeHtml(text.replace(/<style[^]*<\/style>/, '').replace(/<[^>]+>/g, ' ')).replace(
    /\s+/g,
    ' ',
  );

const PAGE_HEADERS = {
  'content-type': 'text/html; charset=utf-8',
  'cache-control': 'no-store',
  'referrer-policy': 'no-referrer',
  'x-content-type-options': 'nosniff',
};

function expectPage(page: PageSeen, status: number, script = '', ancestors = "'none'"): void {
  expect(page.status).toBe(status);
  expect(Object.fromEntries(page.headers)).toMatchObject(PAGE_HEADERS);
  expect(page.location).toBeNull();
  expect(page.headers.has('access-control-allow-origin')).toBe(false);
  const [, nonce = ''] = /<style nonce="([\w-]{22})">/.exec(page.text) ?? [];
  expect(page.headers.get('content-security-policy')).toBe(
    `default-src 'none'; style-src 'nonce-${nonce}'; ${script.replace('NONCE', nonce)}base-uri 'none'; frame-ancestors ${ancestors}`,
  );
  expect(page.text).not.toMatch(/<script(?! nonce)|\son\w+=|\sstyle="|javascript:/i);
}

describe('the consent page', () => {
  it('behaviour 7.23, 7.24: cannot leave out openid for an ID token, and shows the requested acr', async () => {
    const { person } = await start(
      { profile: 'interop', acr_values_supported: ['mfa'] },
      { grant_types: ['authorization_code', 'implicit'] },
    );
    const openid = /value="openid"\s+checked\s+(disabled)?/;
    const plain = await person.visit(target());
    expect(openid.exec(plain.text)?.[1]).toBeUndefined();
    expect(words(plain)).not.toContain('Requested acr');
    const asked = { response_type: 'id_token', nonce: 'n', acr_values: 'other mfa' };
    const page = await person.visit(target(asked));
    expect(openid.exec(page.text)?.[1]).toBe('disabled');
    expect(words(page)).toContain('Requested acr mfa');
    const done = await person.decide(page, 'approve');
    expect(done.location?.hash).toMatch(/^#id_token=eyJ/);
    expect(done.location?.search).toBe('');
  });

  it('behaviour 7.2: names client, scopes and redirect URI, and lists the users', async () => {
    const { http, page } = await asked();
    expectPage(page, 200);
    const text = words(page);
    for (const word of ['Demo application', 'demo-app', AUDIENCE, REDIRECT_URI, 'orders:read']) {
      expect(text).toContain(word);
    }
    expect(text).toContain('Ada Example');
    expect(text).toContain(`Exchange ${page.headers.get('grantbench-exchange')}`);
    expect(formOf(page)).toEqual({
      action: 'authorize',
      fields: [
        ['grantbench_form', expect.stringMatching(/^[\w-]{43}$/)],
        ['sub', 'ada'],
        ['scope', 'openid'],
        ['scope', 'orders:read'],
      ],
    });
    expect(http.newest()).toMatchObject({ error: null, evaluation: { endpoint: 'authorize' } });
  });

  it('architecture, Safety: sets cookies that scripts and other sites cannot use, named by the port', async () => {
    const { http, person, page } = await asked();
    const cookie = (name: string) =>
      new RegExp(`^grantbench_${name}_${http.port}=[\\w-]{43}; Path=/; HttpOnly; SameSite=Lax$`);
    expect(page.headers.getSetCookie()).toEqual([expect.stringMatching(cookie('browser'))]);
    const done = await person.decide(page, 'approve');
    expect(done.headers.getSetCookie()).toEqual([expect.stringMatching(cookie('session'))]);
  });

  it('behaviour 7.17: an https issuer with a path has Secure cookies below its path', async () => {
    const { http } = await start({ issuer: 'https://auth.example/tenant' });
    const person = createPerson(http.url);
    const page = await person.visit(`/tenant${target()}`);
    expect(page.headers.getSetCookie().join()).toMatch(
      /; Path=\/tenant; HttpOnly; SameSite=Lax; Secure$/,
    );
    const { action, fields } = formOf(page);
    const sent = new URL(action, `${http.url}/tenant/authorize`).pathname;
    const done = await person.post(sent, [...fields, ['decision', 'approve']]);
    expect(answerIn(done)).toMatchObject({ iss: 'https://auth.example/tenant' });
    // Required by a silent sign-in in a frame of another site.
    const embedded = /^grantbench_session_.*; Path=\/tenant; HttpOnly; SameSite=None; Secure$/;
    expect(done.headers.getSetCookie()).toEqual([expect.stringMatching(embedded)]);
    const out = await person.visit('/tenant/logout');
    expect(out.headers.getSetCookie().join()).toMatch(/; SameSite=None; Secure; Max-Age=0$/);
  });

  it('architecture, Safety: shows registered and sent values as text', async () => {
    const hostile = `<script>alert("1")</script>'&amp;`;
    const { http, person } = await start({}, { client_name: hostile });
    http.service.registry.users.put(
      userSchema.parse({ sub: `"><b>`, name: hostile, email: hostile }),
    );
    const page = await person.visit(target({ state: hostile, login_hint: hostile }));
    expectPage(page, 200);
    expect(words(page)).toContain(hostile);
    expect(formOf(page).fields).toContainEqual(['sub', '"><b>']);
    const refused = await person.visit(target({ redirect_uri: `http://x.example/${hostile}` }));
    expectPage(refused, 400);
    expect(words(refused)).toContain(hostile);
  });

  it('behaviour 7: explains how to add a user when there is none, and can be denied', async () => {
    const { http, person } = await start({ sign_in_page: { extras: 'off' } });
    http.service.registry.users.replaceAll([]);
    const page = await person.visit(target());
    expectPage(page, 200);
    expect(words(page)).toMatch(/No user is registered\. Add one in the workbench/);
    expect(page.text).not.toContain('value="approve"');
    expect(answerIn(await person.decide(page, 'deny'))).toMatchObject({ error: 'access_denied' });
  });

  it('shows the beginning of a long list of users and the requested user', async () => {
    const { http, person } = await start();
    const many = Array.from({ length: 250 }, (_, index) => userSchema.parse({ sub: `u${index}` }));
    http.service.registry.users.replaceAll(many);
    const page = await person.visit(target({ login_hint: 'u249' }));
    // 100, the requested one, and someone new.
    expect(page.text.match(/type="radio"/g)).toHaveLength(102);
    expect(page.text.match(/<option/g)).toHaveLength(250);
    expect(formOf(page).fields).toContainEqual(['sub', 'u249']);
    expect(words(page)).toContain(
      '149 more users are not shown. Find one above, or send login_hint to select one.',
    );
    const done = await person.decide(page, 'approve', [
      ['sub', 'u249'],
      ['typed_sub', ' u180 '],
    ]);
    expect(done.status).toBe(303);
    expect(http.newest()?.evaluation?.lineage?.user_sub).toBe('u180');
  });

  it('finds a typed user by sub, email address, or a name that only one has', async () => {
    const { http } = await start();
    const { users } = http.service.registry;
    users.put(userSchema.parse({ sub: 'g', name: 'Grace', email: 'grace@example.test' }));
    for (const sub of ['t1', 't2']) users.put(userSchema.parse({ sub, name: 'Twin' }));
    const found = async (typed_sub: string) => {
      const person = createPerson(http.url);
      const page = await person.visit(target());
      const done = await person.decide(page, 'approve', [['typed_sub', typed_sub]]);
      return done.status === 303 ? http.newest()?.evaluation?.lineage?.user_sub : done.status;
    };
    expect([await found('g'), await found('Grace@example.test'), await found('Grace')]).toEqual([
      'g',
      'g',
      'g',
    ]);
    expect([await found('Twin'), await found('nobody')]).toEqual([400, 400]);
  });
});

describe('behaviour 7.5: the aids for testers', () => {
  const withFields = async (person: Person, fields: Record<string, string>) =>
    person.decide(
      await person.visit(target()),
      'approve',
      Object.entries({ scope: 'openid', ...fields }),
    );

  it('adds someone new, who signs in: sub is the email address, or made of the name', async () => {
    const { http, person } = await start();
    const { users } = http.service.registry;
    const grace = { name: 'Grace Hopper', email: 'grace@example.test' };
    const done = await withFields(person, {
      sub: '',
      new_name: grace.name,
      new_email: grace.email,
    });
    expect(done.status).toBe(303);
    expect(users.get('grace@example.test')).toMatchObject({ ...grace, password: null });
    expect(http.newest()?.evaluation?.lineage?.user_sub).toBe('grace@example.test');
    const edith = { sub: '', new_name: 'Édith  Clarke!', new_email: '' };
    await withFields(createPerson(http.url), edith);
    expect(users.list().map(({ sub }) => sub)).toEqual([
      'ada',
      'grace@example.test',
      'edith-clarke',
    ]);
    // The fields count only if someone new is selected.
    await withFields(createPerson(http.url), { sub: 'ada', new_name: 'Nobody' });
    expect(users.list()).toHaveLength(3);
  });

  it.each([
    ['new_email', 'is that of the registered user ada', [['new_email', 'ada']]],
    ['new_email', 'is that of the registered user ada', [['new_email', 'ADA@example.test']]],
    ['new_name', 'or new_email is required', [['new_name', '']]],
    ['new_name', 'must be at most 200 characters', [['new_name', 'x'.repeat(201)]]],
    ['new_email', 'must be', [['new_email', 'é@example.test']]],
    ['new_name', 'must contain a letter or a digit', [['new_name', '???']]],
    ['claims', 'is not JSON: line 1, column', [['claims', '{roles}']]],
    ['claims', 'must be a JSON object', [['claims', '[]']]],
    ['claims.iss', 'is a claim that the service sets itself', [['claims', '{"iss":"x"}']]],
    ...['act', 'acr', 'auth_time', 'nonce', 'userinfo_claims', 'sign_in_claims'].map(
      (name) =>
        [
          `claims.${name}`,
          'is a claim that the service sets itself',
          [['claims', JSON.stringify({ [name]: 'x' })]],
        ] as const,
    ),
    ['claims.a', 'is present more than once', [['claims', '{"a":1,"a":2}']]],
    ['claims.name', 'must be a string', [['claims', '{"name":1}']]],
    [
      'claims',
      'must not take more than 8 KiB',
      [['claims', JSON.stringify({ a: 'x'.repeat(9000) })]],
    ],
  ] as const)('refuses %s that %s, and the form can be corrected', async (field, rule, fields) => {
    const { http, person } = await start();
    http.changeUser('ada', { email: 'ada@example.test' });
    const page = await person.visit(target());
    const sent = [['sub', field.startsWith('new_') ? '' : 'ada'], ...fields] as const;
    const refused = await person.decide(page, 'approve', sent);
    expectPage(refused, 400);
    expect(words(refused)).toContain(`${field} ${rule}`);
    expect(http.newest()?.evaluation?.refusal?.reason).toBe('form_field_invalid');
    expect(http.service.registry.users.list()).toHaveLength(1);
    expect((await person.decide(page, 'approve')).status).toBe(303);
  });

  it('switched off, the page lacks them and refuses what only they send', async () => {
    const { http, person, page } = await asked({ sign_in_page: { extras: 'off' } });
    expect(words(page)).not.toMatch(/Someone new|Claims for this sign-in|Fail with an error/);
    const attempts = [
      ['approve', { sub: '', new_name: 'Eve' }],
      ['approve', { sub: 'ada', claims: '{"roles":["admin"]}' }],
      ['login_required', {}],
    ] as const;
    for (const [decision, fields] of attempts) {
      expectPage(await person.decide(page, decision, Object.entries(fields)), 400);
      expect(http.newest()?.evaluation?.refusal?.reason).toBe('form_field_invalid');
    }
    expect(http.service.registry.users.list()).toHaveLength(1);
    expect((await person.decide(page, 'approve')).status).toBe(303);
  });
});

describe('the decision', () => {
  it('spec 4.1.3, behaviour 7.2: an approval is answered 303 with a code, state and iss', async () => {
    const { http, person } = await start();
    const done = await signIn(person);
    expect(done.status).toBe(303);
    expect(done.headers.get('cache-control')).toBe('no-store');
    expect(done.headers.get('referrer-policy')).toBe('no-referrer');
    expect(`${done.location?.origin}${done.location?.pathname}`).toBe(REDIRECT_URI);
    expect(answerIn(done)).toEqual({
      code: expect.stringMatching(/^[\w-]{43}$/),
      state: 'xyz',
      iss: http.url,
    });
    expect(http.newest()?.evaluation?.lineage?.scope).toBe('openid orders:read');
  });

  it('behaviour 7.3, RFC 6749 4.1.2.1: a denial is answered 303 with access_denied', async () => {
    const { http, person } = await start();
    const done = await person.decide(await person.visit(target()), 'deny');
    expect(done.status).toBe(303);
    expect(answerIn(done)).toEqual({
      error: 'access_denied',
      error_description: 'the request was denied by the user',
      state: 'xyz',
      iss: http.url,
    });
  });

  it('behaviour 7.5: the next request of a signed-in user who has consented is answered 302 immediately', async () => {
    const { person } = await start();
    await signIn(person);
    const again = await person.visit(target({ prompt: 'none' }));
    expect(again.status).toBe(302);
    expect(answerIn(again)).toHaveProperty('code');
  });

  it('behaviour 7.5, RFC 6749 10.12: a form submitted twice is rejected with the time of the first submission', async () => {
    const { person, page } = await asked();
    const first = await person.decide(page, 'approve');
    const again = await person.decide(page, 'approve');
    expectPage(again, 400);
    expect(words(again)).toContain(
      `submitted at 2026-03-01T10:00:00Z by exchange ${first.headers.get('grantbench-exchange')}`,
    );
  });

  it.each([
    ['another browser', /issued to another browser/, (person: Person) => person.cookies.clear()],
    [
      'a browser with a different cookie',
      /issued to another browser/,
      (person: Person) => {
        for (const name of person.cookies.keys()) person.cookies.set(name, 'x'.repeat(43));
      },
    ],
  ])('RFC 6749 10.12: a form from %s is rejected', async (_, expected, change) => {
    const { person, page } = await asked();
    change(person);
    const done = await person.decide(page, 'approve');
    expectPage(done, 400);
    expect(words(done)).toMatch(expected);
  });

  it.each([
    ['no decision', { sub: 'ada' }],
    ['another decision', { sub: 'ada', decision: 'maybe' }],
    ['no selected user', { decision: 'approve' }],
  ])('a form with %s is rejected with the missing decision', async (_, fields) => {
    const { person } = await start();
    const form = { grantbench_form: 'x', ...fields };
    const done = await person.post('/authorize', Object.entries(form));
    expectPage(done, 400);
    expect(words(done)).toContain('The form was submitted without a decision.');
  });
});

describe('a request that is rejected on a page', () => {
  it('behaviour 7.3: gets a page with the rule, the expected and actual value, and the exchange', async () => {
    const { http, person } = await start();
    const page = await person.visit(target({ redirect_uri: `${REDIRECT_URI}/` }));
    expectPage(page, 400);
    const text = words(page);
    expect(text).toContain('redirect_uri differs at character 31 from the nearest registered one');
    expect(text).toContain(`Nearest registered ${REDIRECT_URI} Actual ${REDIRECT_URI} /`);
    expect(text).toContain('redirect_uri is one that the client registered RFC 9700 2.1');
    expect(text).toContain(`in exchange ${page.headers.get('grantbench-exchange')}`);
    expect(http.newest()).toMatchObject({ status: 400, error: 'invalid_request' });
  });

  it.each([
    ['an empty request', '/authorize'],
    ['client_id twice', `${target()}&client_id=demo-app`],
    ['redirect_uri twice', `${target()}&redirect_uri=${encodeURIComponent(REDIRECT_URI)}`],
    ['escapes that are not UTF-8', `${target()}&nonce=%ff`],
    ['malformed escapes', `${target()}&nonce=%zz`],
  ])('RFC 6749 3.1: %s is 400 on a page', async (_, path) => {
    const { person } = await start();
    expectPage(await person.visit(path), 400);
  });

  it.each([
    ['JSON', 'application/json', JSON.stringify(REQUEST)],
    ['plain text', 'text/plain', 'x=1'],
    ['bytes that are not UTF-8', 'application/x-www-form-urlencoded', Buffer.from([0xff])],
    ['another charset', 'application/x-www-form-urlencoded; charset=latin1', 'x=1'],
  ])(
    'OpenID Connect Core 3.1.2.1: a request posted as %s is 400 on a page',
    async (_, type, body) => {
      const { person } = await start();
      const page = await person.visit('/authorize', {
        method: 'POST',
        headers: { 'content-type': type },
        body,
      });
      expectPage(page, 400);
    },
  );

  it('behaviour 3: another method is 405, also for pages of other origins', async () => {
    const { person } = await start();
    const put = await person.visit('/authorize', { method: 'PUT' });
    expect([put.status, put.headers.get('allow')]).toEqual([405, 'GET, HEAD, POST']);
    const preflight = await person.visit('/authorize', { method: 'OPTIONS' });
    expect(preflight.status).toBe(405);
    expect(preflight.headers.has('access-control-allow-methods')).toBe(false);
  });
});

describe('a request that is rejected by redirect', () => {
  it.each([
    [{ response_type: 'codes' }, 'unsupported_response_type'],
    [{ prompt: 'none' }, 'login_required'],
  ])('RFC 6749 4.1.2.1: %j is a 302 redirect with %s', async (parameters, error) => {
    const { http, person } = await start();
    const answer = await person.visit(target(parameters));
    expect(answer.status).toBe(302);
    expect(answerIn(answer)).toEqual({
      error,
      error_description: http.newest()?.evaluation?.refusal?.description,
      state: 'xyz',
      iss: http.url,
    });
    expect(http.newest()?.error).toBe(error);
  });

  it.each(['query', 'fragment'])(
    'RFC 6749 3.1.2: the redirect URI keeps its registered query, with the response in the %s',
    async (response_mode) => {
      const redirect_uri = 'http://localhost:3000/cb?app=1';
      const { person } = await start({ authorize: 'deny' }, { redirect_uris: [redirect_uri] });
      const { location } = await person.visit(target({ redirect_uri, response_mode }));
      expect(location?.searchParams.get('app')).toBe('1');
      expect(location?.href).toContain('error=access_denied');
    },
  );
});

describe('a request that is posted', () => {
  it('OpenID Connect Core 3.1.2.1: is handled like one in the query, and answered 303', async () => {
    const { person } = await start({ authorize: 'auto' });
    const done = await person.post('/authorize', Object.entries(REQUEST));
    expect(done.status).toBe(303);
    expect(answerIn(done)).toMatchObject({ state: 'xyz' });
  });

  it('behaviour 1.10: ignores the query of the URL, and notes the parameters in it', async () => {
    const { http, person } = await start({ authorize: 'auto' });
    const done = await person.post(target({ client_id: 'nobody' }), Object.entries(REQUEST));
    expect(answerIn(done)).toHaveProperty('code');
    const { deviations = [] } = http.newest()?.evaluation ?? {};
    expect(deviations.map(({ id }) => id)).toEqual(['query_ignored']);
  });

  it('OpenID Connect Core 3.1.2.1: is told that its parameters are read from the body', async () => {
    const { person } = await start();
    const seen = await person.post(target(), [['scope', 'openid']]);
    expectPage(seen, 400);
    expect(words(seen)).toContain('client_id is in the query, but the parameters of a POST');
    expect(words(seen)).toContain('Send the parameters as a form in the body, or with GET.');
  });
});

describe('state', () => {
  it.each(['a b+c%2B&d=e#f?', '"><script>', 'ü✓𝒳', '\u0000\r\nSet-Cookie: x=y'])(
    'RFC 6749 4.1.2: %j is returned unchanged',
    async (state) => {
      const { person } = await start({ authorize: 'auto' });
      expect(answerIn(await person.visit(target({ state })))['state']).toBe(state);
      const page = await person.visit(target({ state, response_mode: 'form_post' }));
      expect(formOf(page).fields).toContainEqual(['state', state]);
    },
  );

  it('60 KB are returned unchanged', async () => {
    const { http } = await start({ authorize: 'auto' });
    const state = 'x'.repeat(60_000);
    const path = target({ state });
    const answer = await sendRaw(http.port, `GET ${path} HTTP/1.1\r\nConnection: close\r\n\r\n`);
    expect(answer).toContain(`&state=${state}&`);
  });

  it('behaviour 3: of 100 KB is 431 in a query and 413 in a form, and accepted after raising the limit', async () => {
    const { http, person } = await start({ authorize: 'auto' });
    const state = 'x'.repeat(100_000);
    expect((await person.visit(target({ state }))).status).toBe(431);
    const fields = Object.entries({ ...REQUEST, state, response_mode: 'form_post' });
    expect((await person.post('/authorize', fields)).status).toBe(413);
    http.configure({ max_body_bytes: 200_000 });
    const page = await person.post('/authorize', fields);
    expect(formOf(page).fields).toContainEqual(['state', state]);
  });
});

describe('response_mode=form_post', () => {
  it('OAuth 2.0 Form Post Response Mode 2: is a form that submits itself and has a button', async () => {
    const { http, person } = await start();
    const page = await signIn(person, { response_mode: 'form_post' });
    expectPage(page, 200, "script-src 'nonce-NONCE'; ");
    expect(page.text).toMatch(/<button[^>]*>Continue<\/button>/);
    expect(formOf(page)).toEqual({
      action: REDIRECT_URI,
      fields: [
        ['code', expect.stringMatching(/^[\w-]{43}$/)],
        ['state', 'xyz'],
        ['iss', http.url],
      ],
    });
  });

  it('OAuth 2.0 Form Post Response Mode 2: is also used for errors', async () => {
    const { person } = await start({ authorize: 'deny' });
    const page = await person.visit(target({ response_mode: 'form_post' }));
    expect(formOf(page).fields).toContainEqual(['error', 'access_denied']);
  });
});

describe('response_mode=fragment', () => {
  const fragmentOf = ({ location }: PageSeen) =>
    Object.fromEntries(new URLSearchParams(location?.hash.slice(1)));

  it('OAuth 2.0 Multiple Response Type Encoding Practices 2.1: puts the response into the fragment, and nothing into the query', async () => {
    const { http, person } = await start({ authorize: 'auto' });
    const page = await person.visit(target({ response_mode: 'fragment' }));
    expect([page.status, page.location?.search]).toEqual([302, '']);
    expect(fragmentOf(page)).toEqual({
      code: expect.stringMatching(/^[\w-]{43}$/) as string,
      state: 'xyz',
      iss: http.url,
    });
  });
});

describe('response_mode=web_message and okta_post_message', () => {
  const silent = (response_mode: string, more: Record<string, string> = {}) =>
    target({ response_mode, prompt: 'none', ...more });

  function posted({ text }: PageSeen) {
    const [, origin = '', message = ''] =
      /<script nonce="[\w-]+" data-origin="([^"]*)" data-message="([^"]*)">/.exec(text) ?? [];
    return { origin, message: JSON.parse(unescapeHtml(message)) as unknown };
  }

  const answered = (http: HttpService) => ({
    code: expect.stringMatching(/^[\w-]{43}$/) as string,
    state: 'xyz',
    iss: http.url,
  });

  it('behaviour 7.17: posts the response to the origin of the redirect URI, the only one that may frame the page', async () => {
    const { http, person } = await start({ authorize: 'auto' });
    const page = await person.visit(silent('web_message'));
    expectPage(page, 200, "script-src 'nonce-NONCE'; ", 'http://localhost:3000');
    expect(posted(page)).toEqual({
      origin: 'http://localhost:3000',
      message: { type: 'authorization_response', response: answered(http) },
    });
  });

  it('behaviour 7.17: okta_post_message posts the parameters as the message itself', async () => {
    const { http, person } = await start({ authorize: 'auto' });
    const page = await person.visit(silent('okta_post_message'));
    expect(posted(page).message).toEqual(answered(http));
  });

  it('OpenID Connect Core 3.1.2.6: posts login_required when no user is signed in', async () => {
    const { http, person } = await start();
    const page = await person.visit(silent('web_message'));
    expectPage(page, 200, "script-src 'nonce-NONCE'; ", 'http://localhost:3000');
    expect(posted(page).message).toMatchObject({
      response: { error: 'login_required', state: 'xyz', iss: http.url },
    });
    expect(http.newest()).toMatchObject({ error: 'login_required' });
  });

  it('architecture, Safety: a hostile state stays text in the page and is posted unchanged', async () => {
    const state = `</script><script>alert(1)</script>"'&quot;\u2028\u2029\\`;
    const { person } = await start({ authorize: 'auto' });
    const page = await person.visit(silent('web_message', { state }));
    expect(page.text.match(/<script/g)).toHaveLength(1);
    expect(posted(page).message).toMatchObject({ response: { state } });
  });

  it('behaviour 7.17: a rejection on a page cannot be framed, whatever the mode', async () => {
    const { person } = await start({ authorize: 'auto' });
    expectPage(await person.visit(silent('web_message', { client_id: 'nobody' })), 400);
    const foreign = { redirect_uri: 'https://evil.example/' };
    expectPage(await person.visit(silent('web_message', foreign)), 400);
  });

  it('behaviour 7.17: redirects with the reason instead of posting without prompt=none', async () => {
    const { person } = await start({ authorize: 'auto' });
    const page = await person.visit(target({ response_mode: 'web_message' }));
    expect(answerIn(page)).toMatchObject({ error: 'invalid_request', state: 'xyz' });
  });
});

describe('logout', () => {
  const RETURN = 'http://localhost:3000/';
  const logout = (parameters: Record<string, string> = {}) =>
    `/logout?${new URLSearchParams(parameters).toString()}`;

  it.each(['GET', 'POST'])(
    'RP-Initiated Logout 2: %s ends the session and returns to a registered address',
    async (method) => {
      const { person } = await start({}, { post_logout_redirect_uris: [RETURN] });
      await signIn(person);
      const parameters = { client_id: 'demo-app', post_logout_redirect_uri: RETURN, state: 's' };
      const out =
        method === 'GET'
          ? await person.visit(logout(parameters))
          : await person.post('/logout', Object.entries(parameters));
      expect(out.status).toBe(method === 'GET' ? 302 : 303);
      expect(out.location?.href).toBe(`${RETURN}?state=s`);
      expect([...person.cookies.keys()].join()).not.toContain('session');
      expect(answerIn(await person.visit(target({ prompt: 'none' })))).toMatchObject({
        error: 'login_required',
      });
    },
  );

  it('RP-Initiated Logout 2: shows a confirmation page without a return address', async () => {
    const { http, person } = await start();
    await signIn(person);
    const out = await person.visit('/logout');
    expectPage(out, 200);
    expect(words(out)).toContain('The session of ada in this browser has ended.');
    expect(words(await person.visit('/logout'))).toContain('No user was signed in');
    expect(http.newest()?.evaluation?.endpoint).toBe('logout');
  });

  it('RP-Initiated Logout 4: an unregistered address causes no redirect and ends nothing', async () => {
    const { person } = await start({}, { post_logout_redirect_uris: [RETURN] });
    await signIn(person);
    const asked = { client_id: 'demo-app', post_logout_redirect_uri: 'https://evil.example/' };
    const out = await person.visit(logout(asked));
    expectPage(out, 400);
    expect(words(out)).toContain('The session is unchanged.');
    expect(answerIn(await person.visit(target({ prompt: 'none' })))).toHaveProperty('code');
  });

  it('RFC 6749 3.1: a repeated parameter is rejected', async () => {
    const { person } = await start();
    expectPage(await person.visit('/logout?client_id=a&client_id=b'), 400);
  });
});

describe('the view over the control API', () => {
  it('architecture: an exchange shows neither the code, the cookies nor the form', async () => {
    const harness = await startHarness();
    const person = createPerson(harness.url());
    const path = target({ response_mode: 'form_post', audience: harness.engine.server().issuer });
    const page = await person.visit(path.replace('orders%3Aread', 'profile'));
    const done = await person.decide(page, 'approve');
    const [[, form = ''] = [], [, code = ''] = []] = [page, done].map(
      (seen) => formOf(seen).fields[0] ?? [],
    );
    const queried = await person.visit(
      path.replace('form_post', 'query').replace('orders%3Aread', 'profile'),
    );
    const secrets = [
      form,
      code,
      queried.location?.searchParams.get('code') ?? '',
      ...person.cookies.values(),
    ];
    expect(secrets.every((secret) => secret.length === 43)).toBe(true);
    const items = await harness.list<{ number: number }>('/exchanges');
    expect(items).toHaveLength(3);
    for (const { number } of items) {
      const { text } = await harness.api('GET', `/exchanges/${number}`);
      for (const secret of secrets) expect(text).not.toContain(secret);
    }
  });
});
