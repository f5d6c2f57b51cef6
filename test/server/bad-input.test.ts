import { afterEach, describe, expect, it } from 'vitest';
import {
  type Answered,
  exchangeParameters,
  postForm,
  postJson,
  sendRaw,
  sharedHttpService,
} from '../support/http-service.ts';

const http = await sharedHttpService({ throttle: { limit: 1000 } });
const code = await http.code();

/** After any bad input, the next valid request succeeds and no internal error has occurred. */
afterEach(async () => {
  const fresh = await http.code();
  const good = await postJson(http.url, exchangeParameters(http.url, fresh));
  expect(good.status).toBe(200);
  expect(http.faults).toEqual([]);
});

const parameters = (change: Record<string, unknown> = {}) => ({
  ...exchangeParameters(http.url, code),
  ...change,
});

function expectRefusal(answer: Answered, status: number, error: string, description: string): void {
  expect(answer.body).toEqual({ error, error_description: description });
  expect(answer.status).toBe(status);
  expect(answer.headers.get('content-type')).toBe('application/json');
  expect(answer.headers.get('cache-control')).toBe('no-store');
  expect(answer.headers.get('pragma')).toBe('no-cache');
  const number = Number(answer.headers.get('grantbench-exchange'));
  expect(http.exchange(number)).toMatchObject({ status, error });
}

describe('behaviour 3.3: an unreadable body is 400 invalid_request and consumes nothing', () => {
  const malformed = 'the request body must be well-formed JSON (RFC 8259)';

  it('a missing Content-Type', async () => {
    const raw = await sendRaw(
      http.port,
      'POST /oauth/token HTTP/1.1\r\nHost: x\r\nConnection: close\r\nContent-Length: 2\r\n\r\n{}',
    );
    expect(raw).toMatch(/^HTTP\/1\.1 400 /);
    expect(raw).toContain('the Content-Type header must be application/json or');
  });

  it.each([
    ['empty body', '', 'the request body must not be empty'],
    ['empty JSON object', '{}', 'grant_type is required'],
    ['JSON array', '[]', 'the request body must be a JSON object'],
    ['JSON null', 'null', 'the request body must be a JSON object'],
    ['truncated JSON', '{"grant_type":"authorization_code"', malformed],
    ['JSON with a comment', '{/*x*/}', malformed],
    [
      'deep JSON',
      `${'['.repeat(30_000)}${']'.repeat(30_000)}`,
      'the request body must be a JSON object',
    ],
    ['deep, truncated JSON', '['.repeat(60_000), malformed],
    ['a NUL byte between tokens', '{"grant_type"\u0000:"x"}', malformed],
  ])('%s', async (_name, body, description) => {
    expectRefusal(await postJson(http.url, body), 400, 'invalid_request', description);
  });

  it.each([[1], [null], [true], [['x']], [{ a: 'b' }]])(
    'a value that is not a string: %j',
    async (value) => {
      const answer = await postJson(http.url, parameters({ code: value }));
      expectRefusal(answer, 400, 'invalid_request', 'code must be a string');
    },
  );

  it('an unknown parameter, which is not named because it may be a secret', async () => {
    const answer = await postJson(http.url, parameters({ 'hunter2-secret': 1 }));
    expectRefusal(answer, 400, 'invalid_request', 'a parameter must be a string');
  });

  it.each([
    ['with equal values', '"code":"x","code":"x"'],
    ['with an escaped name', '"code":"x","\\u0063ode":"y"'],
    ['whose first value is not a string', '"code":["x"],"code":"y"'],
  ])('a repeated JSON member %s', async (_name, members) => {
    const answer = await postJson(http.url, `{"grant_type":"authorization_code",${members}}`);
    expect(answer.body['error_description']).toMatch(/must not be repeated \(RFC 6749 3\.2\)$/);
    expect(answer.status).toBe(400);
  });

  it('but not a JSON value with quotes and backslashes', async () => {
    const answer = await postJson(http.url, parameters({ code: 'a","code":"b\\"' }));
    expectRefusal(answer, 400, 'invalid_grant', 'the code is not valid');
  });

  it('a repeated form field', async () => {
    const answer = await postForm(http.url, 'grant_type=refresh_token&grant_type=refresh_token');
    expectRefusal(answer, 400, 'invalid_request', 'grant_type must not be repeated (RFC 6749 3.2)');
  });

  it.each([
    ['JSON bytes', Buffer.from([0x7b, 0x22, 0xff, 0x22, 0x7d]), 'application/json'],
    ['a lone surrogate in JSON', '{"code":"\\ud800"}', 'application/json'],
    ['form bytes', Buffer.from([0x61, 0x3d, 0xff]), 'application/x-www-form-urlencoded'],
    ['form escapes', 'code=%ff', 'application/x-www-form-urlencoded'],
    ['a broken form escape', 'code=%zz', 'application/x-www-form-urlencoded'],
  ])('invalid UTF-8: %s', async (_name, body, type) => {
    const answer = await postJson(http.url, body, { 'Content-Type': type });
    expectRefusal(answer, 400, 'invalid_request', 'the request body must be valid UTF-8');
  });

  it.each(['text/plain', 'multipart/form-data; boundary=x', 'application/jsonx', 'json'])(
    'an unsupported Content-Type: %s',
    async (type) => {
      const answer = await postJson(http.url, parameters(), { 'Content-Type': type });
      expect(answer.status).toBe(400);
      expect(answer.body['error_description']).toMatch(/^the Content-Type header must be /);
    },
  );

  it.each(['application/json; charset=latin1', 'application/json;charset="utf-16"'])(
    'another charset: %s',
    async (type) => {
      const answer = await postJson(http.url, parameters(), { 'Content-Type': type });
      expect(answer.body['error_description']).toBe(
        'the charset of the Content-Type header must be UTF-8',
      );
    },
  );

  it.each(['"UTF-8"', 'utf8'])('but not UTF-8, in any case and quoted: %s', async (charset) => {
    const answer = await postJson(http.url, parameters({ code: 'x' }), {
      'Content-Type': `Application/JSON; Charset=${charset}`,
    });
    expect(answer.body['error']).toBe('invalid_grant');
  });

  it('a Content-Encoding', async () => {
    const answer = await postJson(http.url, parameters(), { 'Content-Encoding': 'gzip' });
    expect(answer.body['error_description']).toMatch(
      /^the Content-Encoding header must not be sent/,
    );
  });

  it('but not a value with NUL or non-ASCII characters', async () => {
    const answer = await postJson(http.url, parameters({ code: '\u0000ключ' }));
    expectRefusal(answer, 400, 'invalid_grant', 'the code is not valid');
  });

  it('but not parameters named as prototype members', async () => {
    const body = `{"__proto__":"x","constructor":"y","toString":"z","grant_type":"x"}`;
    const answer = await postJson(http.url, body);
    expect(answer.body['error']).toBe('unsupported_grant_type');
    const form = await postForm(http.url, '__proto__=x&constructor=y&grant_type=__proto__');
    expect(form.body['error']).toBe('unsupported_grant_type');
  });
});

describe('behaviour 3: limits of HTTP', () => {
  it('behaviour 3.8: a body over 64 KiB is 413 with Connection: close', async () => {
    const answer = await postJson(http.url, `{"code":"${'x'.repeat(65_536)}"}`);
    expectRefusal(answer, 413, 'invalid_request', 'the request body must not exceed 65536 bytes');
    expect(answer.headers.get('connection')).toBe('close');
  });

  it('behaviour 3.8: a 10 MB body is read and discarded, so that the client receives the response', async () => {
    const answer = await postJson(http.url, Buffer.alloc(10 * 1024 * 1024, 0x20));
    expect(answer.status).toBe(413);
    expect(http.newest()?.request_body.length).toBe(65_536);
    expect(http.newest()?.request_bytes).toBe(10 * 1024 * 1024);
  });

  it('a body of exactly the limit is accepted', async () => {
    const fixed = JSON.stringify(parameters({ code: '' })).length;
    const body = JSON.stringify(parameters({ code: 'x'.repeat(65_536 - fixed) }));
    expect(body.length).toBe(65_536);
    expect((await postJson(http.url, body)).body['error']).toBe('invalid_grant');
  });

  it.each([
    ['garbage', 'hello\r\n\r\n', 400, 'invalid_request'],
    [
      'headers over 64 KiB',
      `POST /oauth/token HTTP/1.1\r\nHost: x\r\nX-Big: ${'y'.repeat(70_000)}\r\n\r\n`,
      431,
      'invalid_request',
    ],
    ['CONNECT', 'CONNECT x:443 HTTP/1.1\r\nHost: x\r\n\r\n', 405, 'method_not_allowed'],
  ])(
    'behaviour 3.8: %s is refused with its own status and error, and captured',
    async (_name, bytes, status, error) => {
      const raw = await sendRaw(http.port, bytes);
      expect(raw).toMatch(new RegExp(`^HTTP/1\\.1 ${status} `));
      expect(raw).toContain(`"error":"${error}"`);
      expect(http.newest()).toMatchObject({ status, error });
    },
  );

  it('a missing Host and an absolute target are served', async () => {
    const raw = await sendRaw(
      http.port,
      'GET http://anywhere.example/livez HTTP/1.1\r\nConnection: close\r\n\r\n',
    );
    expect(raw).toMatch(/^HTTP\/1\.1 200 /);
  });

  it('a client that disconnects during its request is recorded and affects no other', async () => {
    const { connect } = await import('node:net');
    const before = http.newest()?.number ?? 0;
    await new Promise<void>((resolve) => {
      const socket = connect(http.port, '127.0.0.1', () => {
        socket.write(
          'POST /oauth/token HTTP/1.1\r\nHost: x\r\nContent-Length: 100\r\n\r\n{"gr',
          () => socket.destroy(),
        );
      }).on('close', () => {
        resolve();
      });
    });
    await expect
      .poll(() => [http.newest()?.number, http.newest()?.error])
      .toEqual([before + 1, 'invalid_request']);
  });
});

describe('behaviour 3.8: unsupported methods and paths', () => {
  it.each(['GET', 'PUT', 'DELETE', 'PATCH', 'HEAD'])(
    'spec 1.1: %s on the token endpoint is 405 method_not_allowed with Allow',
    async (method) => {
      const response = await fetch(`${http.url}/oauth/token`, { method });
      expect(response.status).toBe(405);
      expect(response.headers.get('allow')).toBe('POST, OPTIONS');
      expect(http.newest()).toMatchObject({ method, error: 'method_not_allowed' });
    },
  );

  it.each(['/nothing', '/oauth/token/', '/OAuth/token', '//oauth/token', '/%zz', '/oauth%2ftoken'])(
    'spec 4.1: %s is 404 not_found',
    async (path) => {
      const response = await fetch(http.url + path, { method: 'POST', body: 'x' });
      expect(response.status).toBe(404);
      expect(await response.json()).toEqual({
        error: 'not_found',
        error_description: 'there is no endpoint at this path; see the metadata for the endpoints',
      });
    },
  );
});
