// Templates of requests, the place of credentials, requests from elsewhere, and what the page remembers.

import fc from 'fast-check';
import { afterEach, describe, expect, it, onTestFinished, vi } from 'vitest';
import { clientSchema, settingsSchema, type Client } from '../../src/control/schemas.ts';
import {
  hasClientAuthentication,
  wantedBy,
  withClient,
  withValues,
  placementOf,
} from '../../src/renderer/composing/credential-places.ts';
import {
  composedOf,
  draftOf,
  EMPTY_DRAFT,
  withBodyText,
  withFormat,
  type Draft,
  wireOf,
  withHarmless,
} from '../../src/renderer/composing/draft.ts';
import { control } from '../../src/renderer/connection/control.ts';
import { send, startFrom } from '../../src/renderer/views/requests/request-actions.ts';
import {
  changeRequests,
  keepHistory,
  keptHistory,
  requests,
} from '../../src/renderer/views/requests/requests-store.ts';
import { pastedDraft } from '../../src/renderer/views/requests/pasted-draft.ts';
import {
  STARTING,
  withAnswerOf,
  withEdit,
  withoutHistory,
  withSent,
  type Sent,
} from '../../src/renderer/views/requests/requests-state.ts';
import {
  composeFrom,
  servedPaths,
  TEMPLATES,
  templatesFor,
  titleOf,
  type TemplateContext,
} from '../../src/renderer/views/requests/templates.ts';
import { SHIPPED_SHAPES } from '../../src/core/shape/resolve.ts';
import { ENDPOINT_NAMES, ENDPOINTS } from '../../src/core/records/endpoints.ts';
import { usualPathOf } from '../../src/scenario/server-paths.ts';
import { scenarioSchema } from '../../src/scenario/schema.ts';
import { sentExactly } from '../support/composing.ts';
import { exchangeOf } from '../support/exchanges.ts';
import { startHarness } from '../support/harness.ts';
import { openPage } from '../support/page.ts';

const ISSUER = 'http://localhost:4280';

const client = (members: Partial<Client> = {}): Client =>
  clientSchema.parse({
    client_id: 'demo-app',
    client_secret: 'demo-secret',
    redirect_uris: ['http://localhost:3000/callback'],
    ...members,
  });

const context = (members: Partial<TemplateContext> = {}): TemplateContext => ({
  server: { issuer: ISSUER },
  settings: settingsSchema.parse({}),
  client: client(),
  user: null,
  ...members,
});

function start(id: string, members: Partial<TemplateContext> = {}): Draft {
  const template = TEMPLATES.find((one) => one.id === id);
  if (template === undefined) throw new Error(`no template ${id}`);
  return composeFrom(template, context(members));
}

describe('a template', () => {
  it('spec 4.1.1: exchanges a code with the six documented fields, as JSON', () => {
    const { method, path, headers, body } = wireOf(start('exchange'));
    expect({ method, path, headers }).toEqual({
      method: 'POST',
      path: '/oauth/token',
      headers: [
        ['Content-Type', 'application/json'],
        ['Accept', 'application/json'],
      ],
    });
    expect(JSON.parse(String(body))).toEqual({
      grant_type: 'authorization_code',
      client_id: 'demo-app',
      client_secret: 'demo-secret',
      audience: ISSUER,
      redirect_uri: 'http://localhost:3000/callback',
      code: '',
    });
  });

  it('spec 4.1.2: refreshes with the four documented fields, as a form', () => {
    expect(wireOf(start('refresh')).body).toBe(
      'grant_type=refresh_token&client_id=demo-app&client_secret=demo-secret&refresh_token=',
    );
  });

  it('behaviour 1: uses HTTP Basic only if the profile accepts it', () => {
    const basic = client({ token_endpoint_auth_method: 'client_secret_basic' });
    expect(placementOf(start('refresh', { client: basic }))).toBe('body');
    const interop = { ...basic, profile: 'interop' as const };
    expect(placementOf(start('refresh', { client: interop }))).toBe('basic');
    const open = client({ token_endpoint_auth_method: 'none', client_secret: null });
    expect(placementOf(start('refresh', { client: open }))).toBe('none');
  });

  it('begins with the path of the issuer', () => {
    const server = { issuer: 'https://auth.example/tenant' };
    expect(start('jwks', { server }).target).toBe('/tenant/.well-known/jwks.json');
  });

  it('goes to the provider’s path of its endpoint under a shape, where its client authenticates, too', () => {
    const endpoints = {
      token: `${ISSUER}/realms/sandbox/protocol/openid-connect/token`,
      registration: `${ISSUER}/oauth2/v1/clients`,
    };
    const server = { issuer: `${ISSUER}/realms/sandbox`, endpoints };
    const draft = start('refresh', { server });
    expect(draft.target).toBe('/realms/sandbox/protocol/openid-connect/token');
    expect(placementOf(draft)).toBe('body');
    expect(titleOf({ ...draft, template: null })).toBe('Refresh');
    expect(start('revoke', { server }).target).toBe('/realms/sandbox/oauth/revoke');
    const settings = settingsSchema.parse({ registration: { mode: 'token', token: 'opens-it' } });
    const registering = start('register', { server, settings });
    expect(registering.target).toBe('/oauth2/v1/clients');
    expect(wantedBy(registering)).toEqual(new Set());
  });

  it('for registration is offered while clients may register, with the registration token', () => {
    const off = settingsSchema.parse({});
    expect(servedPaths(off)).not.toContain('/register');
    expect(servedPaths(null)).not.toContain('/register');
    const settings = settingsSchema.parse({ registration: { mode: 'token', token: 'opens-it' } });
    expect(templatesFor(settings).map(({ id }) => id)).toContain('register');
    const draft = start('register', { settings });
    expect(wireOf(draft).headers).toContainEqual(['Authorization', 'Bearer opens-it']);
    const open = settingsSchema.parse({ registration: { mode: 'open', token: 'opens-it' } });
    expect(JSON.stringify(start('register', { settings: open }))).not.toContain('Bearer');
    expect(wantedBy(draft).has('access_token')).toBe(false);
    expect(JSON.parse(draft.body.text)).toHaveProperty('redirect_uris', [
      'http://localhost:3000/callback',
    ]);
  });

  it('for reading a registration and for the MCP server are offered where these exist', () => {
    const ids = (changes: object) =>
      templatesFor(settingsSchema.parse(changes)).map(({ id }) => id);
    expect(ids({})).not.toContain('registration');
    expect(ids({})).not.toContain('mcp');
    const open = { registration: { mode: 'open' }, profile: 'interop' };
    expect(ids(open)).toEqual(expect.arrayContaining(['registration', 'mcp']));
    const registered = client({ registration_access_token: 'reads-it' });
    const reading = start('registration', { client: registered });
    expect(reading.target).toBe('/register/demo-app');
    expect(wireOf(reading).headers).toContainEqual(['Authorization', 'Bearer reads-it']);
    expect(wantedBy(reading)).toEqual(new Set());
    expect(wantedBy(start('mcp')).has('access_token')).toBe(true);
    expect(JSON.parse(start('mcp').body.text)).toMatchObject({ method: 'tools/list' });
  });

  it('corresponds to a scenario step', () => {
    const steps = TEMPLATES.map(({ step }) => step);
    const document = { format: 'grantbench-scenario', version: 1, name: 'Templates', steps };
    const problems = scenarioSchema.safeParse(document).error?.issues ?? [];
    expect(problems).toEqual([]);
  });

  it('RFC 9126 2.1: for a pushed request names the client even with HTTP Basic', () => {
    const basic = client({ token_endpoint_auth_method: 'client_secret_basic', profile: 'interop' });
    const draft = start('push', { client: basic });
    expect(placementOf(draft)).toBe('basic');
    expect(draft.body.text).toMatch(/^client_id=demo-app&response_type=code&/);
  });

  it('can be created without any client', () => {
    for (const { id } of TEMPLATES) expect(() => start(id, { client: null })).not.toThrow();
  });
});

describe('the endpoint of a path', () => {
  it('is known from how it ends, usual or a provider’s', () => {
    for (const { path } of Object.values(ENDPOINTS)) expect(usualPathOf(path)).toBe(path);
    for (const { paths = {} } of Object.values(SHIPPED_SHAPES)) {
      for (const name of ENDPOINT_NAMES) {
        for (const path of paths[name] ?? []) {
          expect(usualPathOf(path), path).toBe(ENDPOINTS[name].path);
        }
      }
    }
    for (const path of ['/', '/device', '/orders/1', '/token/1', '/livez']) {
      expect(usualPathOf(path), path).toBeUndefined();
    }
  });
});

describe('any draft', () => {
  const text = fc.oneof(
    fc.string({ unit: 'binary', maxLength: 30 }),
    fc.stringMatching(/^[{}":, a-z&=%+1]{0,30}$/),
  );
  const header = fc.tuple(
    fc.stringMatching(/^[A-Za-z-]{1,9}$/),
    text.map((value) => value.trim()),
  );

  it('is sent byte for byte as written, by its scenario step', () => {
    const stored = fc.record({
      template: fc.constant(null),
      client_id: fc.constant(null),
      method: fc.constantFrom('GET', 'POST', 'PUT'),
      path: text.map((rest) => `/${rest}`),
      headers: fc.array(header, { maxLength: 4 }),
      format: fc.constantFrom('json' as const, 'form' as const),
      body: text,
    });
    fc.assert(
      fc.property(stored, ({ method, path, headers, format, body, ...rest }) => {
        const draft = draftOf({ method, path, headers, format, body, ...rest });
        expect(sentExactly(wireOf(draft))).toEqual({ method, path, headers, body });
      }),
      { numRuns: 10_000 },
    );
  });
});

describe('fresh credentials', () => {
  const values: Readonly<Record<string, string>> = {
    code: 'C',
    code_verifier: 'V',
    refresh_token: 'R',
    access_token: 'A',
    device_code: 'D',
  };
  const withFresh = (draft: Draft) => withValues(draft, (name) => values[name]);

  it('replace the values in the request’s fields', () => {
    expect(withFresh(start('exchange')).body.text).toContain('"code": "C"');
    expect(withFresh(start('refresh')).body.text).toContain('refresh_token=R');
    expect(withFresh(start('device-code')).body.text).toContain('device_code=D');
    expect(withFresh(start('introspect')).body.text).toContain('token=A');
    expect(withFresh(start('revoke')).body.text).toContain('token=R');
    expect(wireOf(withFresh(start('userinfo'))).headers).toContainEqual([
      'Authorization',
      'Bearer A',
    ]);
  });

  it('leave everything else as typed, and fields without a fresh value', () => {
    const jwks = start('jwks');
    expect(withFresh(jwks)).toEqual(jwks);
    const typed = withBodyText(EMPTY_DRAFT, 'a=%7e&code=old');
    expect(withFresh(typed).body.text).toBe('a=%7e&code=C');
    expect(withValues(typed, () => null)).toBe(typed);
    const broken = withBodyText(withFormat(EMPTY_DRAFT, 'json'), '{"code": ');
    expect(withFresh(broken).body.text).toBe('{"code": ');
  });

  it('of another client replace client_id and client_secret in the body, the query and the header', () => {
    const other = client({ client_id: 'other', client_secret: 'theirs' });
    const moved = withClient(start('refresh'), other);
    expect(moved.client_id).toBe('other');
    expect(moved.body.text).toContain('client_id=other&client_secret=theirs');
    expect(withClient(start('authorize'), other).target).toContain('client_id=other');
    const open = client({ token_endpoint_auth_method: 'none', client_secret: null });
    expect(withClient(start('refresh'), open).body.text).toContain('client_secret=&');
  });
});

describe('a request from elsewhere', () => {
  it('is shown as fields if it has any, with the client that it names', () => {
    const known = [client(), client({ client_id: 'other' })];
    const draft = composedOf(
      {
        method: 'POST',
        path: '/oauth/token',
        headers: [['accept', 'a/b']],
        body: 'client_id=other',
      },
      known,
    );
    expect(draft).toMatchObject({ client_id: 'other', body: { format: 'form', view: 'fields' } });
    const get = { method: 'GET', headers: [] };
    const basic = [['authorization', `Basic ${btoa('demo-app:x')}`]] as const;
    const token = { ...get, path: '/oauth/token', headers: basic };
    expect(composedOf(token, known).client_id).toBe('demo-app');
    expect(composedOf({ ...get, path: '/authorize?client_id=nobody' }, known).client_id).toBeNull();
  });

  it('is shown raw if it has no fields, and JSON is parsed whatever its content type says', () => {
    const post = { method: 'POST', path: '/a', headers: [] };
    const json = [['content-type', 'application/json']] as const;
    expect(composedOf({ ...post, headers: json, body: '{' }, []).body).toMatchObject({
      format: 'json',
      view: 'raw',
      text: '{',
      rows: null,
    });
    expect(composedOf({ ...post, body: '{"a": "b"}' }, []).body).toMatchObject({
      format: 'json',
      view: 'fields',
    });
  });

  it('to an API is no request of an endpoint, however its path ends', () => {
    for (const path of ['/api/stock/keys', '/api/token', '/api/logout', '/api/register/5']) {
      const headers = [['Authorization', 'Bearer x']] as const;
      const draft = composedOf({ method: 'POST', path, headers, body: 'a=b' }, []);
      expect(titleOf(draft)).toBe(`POST ${path}`);
      expect(hasClientAuthentication(draft), path).toBe(false);
      expect(wantedBy(draft), path).toEqual(new Set(['access_token']));
    }
    const usual = composedOf({ method: 'GET', path: '/tenant/jwks.json', headers: [] }, []);
    expect(titleOf(usual)).toBe('JWK Set');
  });

  it('loses the headers that the sender sets when pasted as curl, and this is reported', () => {
    const command = `curl ${ISSUER}/oauth/token -d grant_type=refresh_token -H 'Content-Length: 3' -H 'Expect: x'`;
    const { draft, notes } = pastedDraft(command, { issuer: ISSUER }, null, []);
    expect(wireOf(draft).headers).toEqual([['Content-Type', 'application/x-www-form-urlencoded']]);
    expect(notes.map(({ text }) => text)).toEqual([
      'Omitted because Grantbench sets them: Content-Length, Expect.',
    ]);
    expect(titleOf(draft)).toBe('Refresh');
  });
});

it('a request that is sent while its token is looked up is sent with the token', async () => {
  await openPage(await startHarness());
  onTestFinished(() => changeRequests(STARTING));
  await control.tokens.mint({ client_id: 'demo-app', scope: 'openid' });
  const started = startFrom('userinfo');
  await send();
  await started;
  const [sent] = requests.getState().history;
  expect(sent?.answer).toMatchObject({ kind: 'exchange', exchange: { status: 200 } });
});

describe('the history of requests', () => {
  it('lists the newest request first, with its response', () => {
    const draft = start('refresh');
    const sent = withSent(withEdit(STARTING, draft), draft, { kind: 'sending' }, 5);
    expect(sent).toMatchObject({ busy: 1, shown: 1, typed: false, pane: 'answer' });
    const refused = exchangeOf({ status: 400, error: 'invalid_grant' });
    const answered = withAnswerOf(sent, 1, { kind: 'exchange', exchange: refused });
    expect(answered).toMatchObject({ busy: null, detail: 'why' });
    const good = withAnswerOf(answered, 1, { kind: 'exchange', exchange: exchangeOf({}) });
    expect(good.detail).toBe('response');
    const looked = { ...good, detail: 'token' as const };
    const again = withAnswerOf(looked, 1, { kind: 'exchange', exchange: exchangeOf({}) });
    expect(again.detail).toBe('token');
    expect(withoutHistory(again).history).toEqual([]);
  });
});

describe('the stored history', () => {
  afterEach(() => vi.unstubAllGlobals());

  function storage(text: string | null = null) {
    const kept = new Map(text === null ? [] : [['grantbench.requests', text]]);
    vi.stubGlobal('localStorage', {
      getItem: (key: string) => kept.get(key) ?? null,
      setItem: (key: string, value: string) => void kept.set(key, value),
    });
    return kept;
  }

  const SECRET = 'hush-hush';
  const full = composedOf(
    {
      method: 'POST',
      path: `/oauth/token?client_secret=${SECRET}&scope=openid`,
      headers: [
        ['Authorization', `Bearer ${SECRET}`],
        ['X-Api-Key', SECRET],
        ['Accept', 'application/json'],
        ['Content-Type', 'application/x-www-form-urlencoded'],
      ],
      body: `grant_type=refresh_token&client_secret=${SECRET}&refresh_token=${SECRET}&custom=${SECRET}`,
    },
    [],
  );
  const sent: Sent = {
    id: 1,
    at: 5,
    draft: full,
    answer: { kind: 'exchange', exchange: exchangeOf({ status: 400, error: 'invalid_grant' }) },
  };

  it('contains the structure of requests, and no value that could be a secret', () => {
    const bare = withHarmless(full);
    expect(JSON.stringify(bare)).not.toContain(SECRET);
    expect(bare.target).toBe('/oauth/token?client_secret=&scope=openid');
    expect(bare.body.text).toBe('grant_type=refresh_token&client_secret=&refresh_token=&custom=');
    const raw = withBodyText(withFormat(EMPTY_DRAFT, 'json'), `{"client_secret": "${SECRET}`);
    expect(JSON.stringify(withHarmless(raw))).not.toContain(SECRET);
  });

  it('contains only the path when a broken query holds a token', () => {
    const draft = composedOf({ method: 'GET', path: `/a?x=%zz&token=${SECRET}`, headers: [] }, []);
    expect(JSON.stringify(withHarmless(draft))).not.toContain(SECRET);
  });

  it('is loaded again after the page was closed', () => {
    const kept = storage();
    keptHistory();
    keepHistory([sent]);
    expect([...kept.values()].join('')).not.toContain(SECRET);
    const [back] = keptHistory();
    expect(back).toMatchObject({
      id: 1,
      at: 5,
      answer: { kind: 'restored', words: '400 invalid_grant' },
    });
    expect(back?.draft).toMatchObject({ target: '/oauth/token?client_secret=&scope=openid' });
    expect(wantedBy(back?.draft ?? EMPTY_DRAFT).has('refresh_token')).toBe(true);
  });

  it('keeps what another tab has stored meanwhile, but not what was cleared here or there', () => {
    const kept = storage();
    keptHistory();
    const stored = () => JSON.parse(kept.get('grantbench.requests') ?? '[]') as { at: number }[];
    const at = (ms: number): Sent => ({ ...sent, at: ms });
    keepHistory([at(5)]);
    kept.set('grantbench.requests', JSON.stringify([{ ...stored()[0], at: 6 }, ...stored()]));
    keepHistory([at(7), at(5)]);
    expect(stored().map((one) => one.at)).toEqual([7, 6, 5]);
    keepHistory([at(8), at(7), at(5)]);
    expect(stored().map((one) => one.at)).toEqual([8, 7, 6, 5]);
    kept.set('grantbench.requests', JSON.stringify(stored().slice(0, 1)));
    keepHistory([at(9), at(8), at(7), at(5)]);
    expect(stored().map((one) => one.at)).toEqual([9, 8]);
    kept.set('grantbench.requests', JSON.stringify([{ ...stored()[0], at: 10 }, ...stored()]));
    keepHistory([]);
    expect(stored().map((one) => one.at)).toEqual([10]);
  });

  it('is readable and unchanged when an earlier version wrote it', () => {
    const entry = {
      at: 5,
      words: '200',
      template: 'refresh',
      client_id: 'demo-app',
      method: 'POST',
      target: '/oauth/token?scope=openid',
      headers: [['Content-Type', 'application/x-www-form-urlencoded']],
      format: 'form',
      body: 'grant_type=refresh_token&client_id=demo-app&client_secret=&refresh_token=',
    };
    const kept = storage(JSON.stringify([entry]));
    const history = keptHistory();
    expect(history.map(({ draft }) => wireOf(draft))).toEqual([
      { method: entry.method, path: entry.target, headers: entry.headers, body: entry.body },
    ]);
    keepHistory(history);
    expect(JSON.parse(kept.get('grantbench.requests') ?? '')).toEqual([entry]);
  });

  it('omits entries that cannot be read', () => {
    for (const text of ['', '{', '5', 'null', '{}', '[null, 5, {"at": "x"}]']) {
      storage(text);
      expect(keptHistory()).toEqual([]);
    }
    vi.stubGlobal('localStorage', {
      getItem: () => {
        throw new Error('denied');
      },
      setItem: () => {
        throw new Error('full');
      },
    });
    expect(keptHistory()).toEqual([]);
    expect(() => keepHistory([sent])).not.toThrow();
  });
});
