// A request saved by name: without its secrets, and otherwise as it was written.

import { describe, expect, it } from 'vitest';
import { clientSchema, type SavedRequest } from '../../src/control/schemas.ts';
import {
  draftOf,
  EMPTY_DRAFT,
  withBodyText,
  withFormat,
  withHeaders,
  withTarget,
  wireOf,
  savedRequestOf,
} from '../../src/renderer/composing/draft.ts';
import { rowOf } from '../../src/renderer/composing/field-rows.ts';
import { requestScenario } from '../../src/renderer/composing/request-scenario.ts';
import { scenarioSchema } from '../../src/scenario/schema.ts';
import { composeStep } from '../../src/scenario/actions/index.ts';
import { composing, sentExactly } from '../support/composing.ts';

const AT = '2026-03-01T10:00:00.000Z';
const CLIENTS = [clientSchema.parse({ client_id: 'app', client_secret: 'orange-juice' })];
const LONG = 'dBjftJeZ4CVP-mB92K27uhbUJU1p1r_wW1gFWFOEjXk';

const saved = (draft: typeof EMPTY_DRAFT) => savedRequestOf('Mine', draft, CLIENTS, AT);

describe('a saved request', () => {
  it('is sent byte for byte by its scenario step, and saved again unchanged', () => {
    // As earlier workspace files contain it.
    const request: SavedRequest = {
      name: 'Wrong redirect',
      saved_at: AT,
      template: 'exchange',
      client_id: 'app',
      method: 'POST',
      path: '/oauth/token?note=a%20b&{{code}}',
      headers: [
        ['Content-Type', 'application/json'],
        ['X-Mine', 'own'],
      ],
      format: 'json',
      body: '{"grant_type" : "authorization_code", "code": "", "n": 5.0, "n": [{}]}',
    };
    const draft = draftOf(request);
    const { method, path, headers, body } = request;
    expect(sentExactly(wireOf(draft))).toEqual({ method, path, headers, body });
    expect(savedRequestOf('Wrong redirect', draft, CLIENTS, AT)).toEqual(request);
  });

  it.each([
    ['a secret name', 'client_secret=anything&grant_type=x', 'client_secret=&grant_type=x'],
    ['a code', 'code=short&state=a', 'code=&state=a'],
    ['a client’s secret', 'note=orange-juice', 'note='],
    ['a value that looks like a token', `note=${LONG}`, 'note='],
    ['nothing', 'a=%41+b&custom=own%20value', 'a=%41+b&custom=own%20value'],
  ])('omits from the body: %s', (_what, body, kept) => {
    expect(saved(withBodyText(EMPTY_DRAFT, body)).body).toBe(kept);
  });

  it('keeps a body without fields, unless it contains a secret', () => {
    const raw = (text: string) => saved(withBodyText(withFormat(EMPTY_DRAFT, 'json'), text)).body;
    expect(raw('[1, "two"]')).toBe('[1, "two"]');
    expect(raw('["orange-juice"]')).toBe('');
  });

  it('keeps the scheme of a credential in a header, and other headers', () => {
    const headers = [
      rowOf('Authorization', `Bearer ${LONG}`),
      rowOf('X-Mine', 'own'),
      rowOf('X-Api-Key', 'short'),
      rowOf('', ''),
    ];
    expect(saved(withHeaders(EMPTY_DRAFT, headers)).headers).toEqual([
      ['Authorization', 'Bearer '],
      ['X-Mine', 'own'],
      ['X-Api-Key', ''],
    ]);
  });

  it('keeps the query as written, except secrets and parts that cannot be decoded', () => {
    const path = (target: string) => saved(withTarget(EMPTY_DRAFT, target)).path;
    expect(path('/a?b=c%20d&e')).toBe('/a?b=c%20d&e');
    expect(path('/a?token=abc&e=f')).toBe('/a?token=&e=f');
    expect(path('/a?b=%')).toBe('/a');
  });

  it('opens as the same draft', () => {
    const draft = withBodyText(
      withHeaders(withTarget({ ...EMPTY_DRAFT, method: 'PATCH', client_id: 'app' }, '/a?b=c'), [
        rowOf('X-Mine', 'own'),
      ]),
      'a=b',
    );
    expect(draftOf(saved(draft))).toEqual(draft);
  });
});

describe('behaviour 16.1: a saved request as a scenario', () => {
  const VALUES = {
    code: 'c/1',
    code_verifier: 'v',
    access_token: 'at',
    refresh_token: 'rt',
    device_code: 'dc',
  };
  const request = (body: string, more: Partial<SavedRequest> = {}): SavedRequest => ({
    name: 'Mine',
    saved_at: AT,
    template: null,
    client_id: 'app',
    method: 'POST',
    path: '/oauth/token',
    headers: [['X-Mine', 'own']],
    format: 'form',
    body,
    ...more,
  });
  const stepsOf = (saved: SavedRequest) => {
    const app = {
      client_id: 'app',
      client_secret: 'orange & juice',
      redirect_uris: ['http://a/1', 'http://a/2'],
    };
    const clients = [clientSchema.parse(app)];
    const scenario = requestScenario(saved, clients);
    expect(scenarioSchema.parse(scenario)).toEqual(scenario);
    const { steps } = scenario;
    const last = steps.at(-1) ?? {};
    return {
      before: steps.slice(0, -1),
      sent: composeStep(last, { ...composing(VALUES), sandbox: { clients, users: [] } }),
    };
  };

  it.each([
    [
      'a code, for its registered redirect URI',
      'client_id=app&client_secret=&code=&code_verifier=&redirect_uri=http://a/2',
      [
        {
          issue_code: {
            client: 'app',
            redirect_uri: 'http://a/2',
            audience: null,
            pkce: 'S256',
          },
        },
      ],
      'client_id=app&client_secret=orange+%26+juice&code=c%2F1&code_verifier=v&redirect_uri=http://a/2',
    ],
    [
      'a refresh token',
      'refresh_token=',
      [{ issue_tokens: { client: 'app' } }],
      'refresh_token=rt',
    ],
    [
      'a device code',
      'device_code=',
      [{ authorize_device: { client: 'app' } }, { approve_device: {} }],
      'device_code=dc',
    ],
    ['nothing, in its own spelling', 'a=%41+b&note', [], 'a=%41+b&note'],
  ])('is preceded by the steps that provide: %s', (_what, body, before, text) => {
    expect(stepsOf(request(body))).toEqual({
      before,
      sent: { method: 'POST', path: '/oauth/token', headers: [['X-Mine', 'own']], body: text },
    });
  });

  it('escapes variables in JSON, and fills in the Authorization header', () => {
    const saved = request('{"client_secret": "", "n": 5.0}', {
      format: 'json',
      headers: [['Authorization', 'Bearer ']],
    });
    expect(stepsOf(saved)).toMatchObject({
      before: [{ issue_tokens: { client: 'app' } }],
      sent: {
        headers: [['Authorization', 'Bearer at']],
        body: '{\n  "client_secret": "orange & juice",\n  "n": 5.0\n}',
      },
    });
  });

  it('without a client names none, and keeps what was saved of its credentials', () => {
    const saved = request('client_id=other&client_secret=&token=', { client_id: null });
    expect(stepsOf(saved)).toMatchObject({
      before: [{ issue_tokens: {} }],
      sent: { body: 'client_id=other&client_secret=&token=at' },
    });
  });
});
