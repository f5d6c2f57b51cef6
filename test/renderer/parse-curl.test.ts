// A pasted curl command is parsed into the request that curl itself would send, and unsupported parts are reported.

import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { ourTarget } from '../../src/renderer/views/requests/pasted-draft.ts';
import { parseCurl, type PastedRequest } from '../../src/renderer/views/requests/parse-curl.ts';
import { curl } from '../../src/renderer/snippets/curl.ts';
import { startEcho, type Arrived } from '../support/echo.ts';
import { missing, runCode } from '../support/snippet-runtimes.ts';

const read = (command: string) => parseCurl(command);
const remarksOf = ({ remarks }: PastedRequest) => remarks.map(({ text }) => text).join('\n');

/** One of the signs of a text. */
const oneOf = (signs: string) => fc.constantFrom(...Array.from(signs));

/** Commands as people write them; URL stands for the server's. */
const COMMANDS: readonly string[] = [
  `curl URL/oauth/token -d grant_type=refresh_token -d client_id=demo-app`,
  `curl -X POST URL/oauth/token -H 'Content-Type: application/json' -d '{"grant_type":"authorization_code","code":"it'\\''s"}'`,
  `curl -sSL -XPOST "URL/oauth/token?a=b&c=d" \\\n  -H "Content-Type: application/json" \\\n  --data-raw "{\\"a\\": \\"\\$HOME \\\\\\\\ \\\`x\\\`\\"}"`,
  `curl URL/a --data-urlencode 'redirect_uri=http://localhost:3000/cb?x=1&y=é' --data-urlencode '=a b' --data-urlencode 'a b'`,
  `curl -G URL/authorize -d response_type=code --data-urlencode 'scope=openid profile'`,
  `curl -G 'URL/authorize?x=1' -d client_id=demo-app`,
  `curl URL/oauth/token --json '{"a":1}'`,
  `curl URL/oauth/token --json '{"a":1}' -H 'Content-Type: text/plain' -H Accept:`,
  `curl -u 'demo app:s:e%cret' URL/oauth/token -d grant_type=client_credentials`,
  `curl -I URL/livez`,
  `curl URL/userinfo --oauth2-bearer abc.def`,
  `curl URL/a -H 'X-Empty;' -H 'X-Gone:' -A 'My Agent' -e https://a.example/ -b 'a=b; c=d'`,
  `curl --request PUT --url URL/a --data-binary $'a\\'b\\n\\x41\\u00e9\\xc3\\xa9\\101'`,
  `curl URL/a -H 'Content-Type:' -d 'a=b'`,
  `curl URL/a -d a=1 -d '' -d b=2 --data-raw @c`,
  `curl -X DELETE URL`,
  `curl URL?a=b`,
  `curl "URL"/a'b'\\ c"d" # a comment`.replace('\\ c', 'c'),
  `curl -o /dev/null -w '%{http_code}' --max-time 5 --retry 2 -k -f -d x URL/a`,
  `curl -HX-A:1 -H'X-B:  2  ' URL/a`,
  `curl http://me:pass%20word@HOST/a`,
];

const OURS = ['content-type', 'accept', 'authorization', 'user-agent', 'referer', 'cookie'];
const EXTRA = ['x-empty', 'x-gone', 'x-a', 'x-b'];

function shown({ method, target, headers, body }: Arrived) {
  const kept = headers.filter(([name, value]) => {
    if (name === 'accept') return value !== '*/*';
    if (name === 'user-agent') return !value.startsWith('curl/');
    return [...OURS, ...EXTRA].includes(name);
  });
  return { method, target, headers: kept.toSorted(), body: body.toString() };
}

describe('a pasted curl command', () => {
  it('is parsed into the request that curl sends', async ({ skip }) => {
    const reason = missing('curl') ?? missing('bash');
    if (reason !== null) skip(reason);
    const echo = await startEcho();
    const here = COMMANDS.map((command) =>
      command.replaceAll('URL', echo.origin).replaceAll('HOST', `127.0.0.1:${echo.port}`),
    );
    // Not every sh knows $'...'.
    await runCode('bash', here);
    const sent = echo.taken().map(shown);
    const parsed = here.map(read).map(({ method, target, headers, body }) => ({
      method,
      target,
      headers: headers.map(([name, value]) => [name.toLowerCase(), value]).toSorted(),
      body,
    }));
    expect(sent).toHaveLength(here.length);
    parsed.forEach((one, index) => expect(one, here[index]).toEqual(sent[index]));
  });

  it('survives being copied as curl and pasted again', () => {
    const token = fc.string({ unit: oneOf('abcXYZ019-_!#$%&*+.^`|~'), minLength: 1 });
    const value = fc
      .string({ unit: oneOf(`aZ09 '"\\\`$!%^{}()#@;:&|<>~*?[]=+-/,.`), minLength: 1 })
      .map((text) => text.trim())
      .filter((text) => text !== '');
    const request = fc.record({
      method: fc.constantFrom('GET', 'POST', 'PUT', 'OPTIONS'),
      target: fc.string({ unit: oneOf('abc/.?&=%!$(),;:@*+~_-') }).map((rest) => `/${rest}`),
      headers: fc.array(fc.tuple(token, value), { maxLength: 4 }),
      body: fc.string({ unit: 'binary' }).map((text) => text.replaceAll('\0', '')),
    });
    fc.assert(
      fc.property(request, (given) => {
        const type = given.headers.some(([name]) => name.toLowerCase() === 'content-type');
        fc.pre(!type && !given.headers.some(([name]) => name.toLowerCase() === 'content-length'));
        const { text } = curl.write({ ...given, url: `http://localhost:4280${given.target}` });
        const { method, origin, target, headers, body } = read(text);
        expect({ method, target, headers, body }).toEqual(given);
        expect(origin).toBe('http://localhost:4280');
      }),
    );
  });

  it.each([
    [
      'Chrome (bash)',
      "curl 'https://as.example/oauth/token?x=1' \\\n  -X 'PUT' \\\n  -H 'accept: */*' \\\n  -b 'sid=1; theme=dark' \\\n  --data-raw $'{\"a\":\"it\\'s \\u0021 \\ud83d\\ude00\\n\"}' \\\n  --compressed \\\n  --insecure",
      '{"a":"it\'s ! 😀\n"}',
    ],
    [
      'Chrome (cmd)',
      'curl ^"https://as.example/oauth/token?x=1^" ^\r\n  -X ^"PUT^" ^\r\n  -H ^"accept: */*^" ^\r\n  -b ^"sid=1; theme=dark^" ^\r\n  --data-raw ^"^{^\\^"a^\\^":^\\^"100^%^ off^\n\n^\\^"^}^"',
      '{"a":"100% off\n"}',
    ],
    [
      'Firefox',
      "curl 'https://as.example/oauth/token?x=1' --compressed -X 'PUT' -H 'accept: */*' -H 'cookie: sid=1; theme=dark' --data-binary $'a=\\xc3\\xa9\\r\\n&b=\\\\'",
      'a=é\r\n&b=\\',
    ],
  ])('is read as %s copies it', (_, command, body) => {
    const { headers, remarks, ...request } = read(command);
    expect(request).toEqual({
      method: 'PUT',
      origin: 'https://as.example',
      target: '/oauth/token?x=1',
      body,
    });
    expect(headers.map(([name, value]) => [name.toLowerCase(), value])).toEqual([
      ['content-type', 'application/x-www-form-urlencoded'],
      ['accept', '*/*'],
      ['cookie', 'sid=1; theme=dark'],
    ]);
    expect(remarks).toEqual([]);
  });

  it('may be written for cmd, with its carets and quotes', () => {
    const { method, target, headers, body } = read(
      'curl ^"http://localhost:4280/oauth/token^" ^\r\n  -X ^"POST^" ^\r\n  -H ^"Content-Type: application/json^" ^\r\n  --data-raw ^"^{^\\^"a^\\^": ^\\^"b ^& c^\\^"^}^"',
    );
    expect({ method, target, headers, body }).toEqual({
      method: 'POST',
      target: '/oauth/token',
      headers: [['Content-Type', 'application/json']],
      body: '{"a": "b & c"}',
    });
    const plain = read(
      'curl.exe -X POST http://localhost:4280/a ^\n -H "Content-Type: application/json" ^\n -d "{\\"a\\": \\"C:\\\\x\\"}"',
    );
    expect(plain.body).toBe('{"a": "C:\\\\x"}');
    expect(remarksOf(read('curl ^\n http://localhost/a -d "x=%TOKEN%"'))).toContain('%TOKEN%');
    expect(read('curl ^\n http://localhost/a -d "{""a"": 1}"').body).toBe('{"a": 1}');
  });

  it('may follow a prompt, a path or variables, and stand among other lines', () => {
    expect(read('this curling, or curl http://localhost/a').target).toBe('/a');
    for (const before of ['$ ', '  % ', 'TOKEN=abc A=b ', '/usr/bin/', '# try this\n', 'C:\\> ']) {
      expect(read(`${before}curl http://localhost/a`).target, before).toBe('/a');
    }
  });
});

describe('reports what cannot be imported', () => {
  it.for([
    ['-d @body.json', '-d @body.json reads a file'],
    ['--data-binary @-', '--data-binary @- reads a file'],
    ['--data-urlencode code@file', '--data-urlencode code@file reads a file'],
    ['-H @headers.txt', '-H @headers.txt reads a file'],
    ['-H nothing', '-H nothing is not a header'],
    ['-b jar.txt', '-b jar.txt reads a file'],
    ['-u demo', 'has no password'],
    ['-L', '-L follows redirects; here the first response is shown'],
    ['-sL', '-L follows redirects'],
    ['http://localhost/b', 'Only the first of several URLs'],
    ['-d "token=$TOKEN&x=`id`"', '$TOKEN, `…`'],
    ['-d ${A}$(b)', '${A}, $(…)'],
    ['| jq .', 'The text after the command is ignored: | jq .'],
    ['-H “X:1”', 'curly quotes'],
  ])('%s', ([option, words]) => {
    const request = read(`curl http://localhost:4280/a ${option ?? ''}`);
    expect(remarksOf(request)).toContain(words);
    expect(request.target).toBe('/a');
  });

  it.for(['{a,b}', 'x{,a}', '[1-9]'])('a URL that curl would expand: %s', (path) => {
    expect(remarksOf(read(`curl 'http://localhost/${path}'`))).toContain('several URLs');
    expect(read(`curl -g 'http://localhost/${path}'`).remarks).toEqual([]);
  });

  it('a URL that the shell cuts at an ampersand', () => {
    const request = read('curl http://localhost/authorize?a=b&c=d');
    expect(request.target).toBe('/authorize?a=b');
    expect(remarksOf(request)).toContain('put the URL in quotes');
  });

  it('a body from a file still makes the request a POST, and its body stays empty', () => {
    expect(read('curl http://localhost/a -d @x')).toMatchObject({ method: 'POST', body: '' });
  });

  it('a line that only looks continued', () => {
    const request = read('curl http://localhost/a \\ \n  -d x=1');
    expect(request.body).toBe('x=1');
    expect(remarksOf(request)).toContain('A backslash with a space after it');
  });

  it.for([
    ['wget http://localhost', 'must begin with curl'],
    ['', 'must begin with curl'],
    ['curl -X POST', 'has no URL'],
    ['curl ftp://localhost/a', 'neither http nor https'],
    [`curl 'http://localhost/a`, 'opened but not closed'],
    ['curl "http://localhost/a', 'opened but not closed'],
    ['curl http://localhost/a -H', '-H is the last word and has no value'],
    ['curl http://localhost/a `\n -d x', 'PowerShell'],
    ['curl -F a=b http://localhost/a', '-F sends multipart/form-data'],
    ['curl -T a.txt http://localhost/a', '-T cannot be imported. Remove it'],
    ['curl -sKa.cfg http://localhost/a', '-K cannot be imported. Remove it'],
    ['curl --proxy http://p:1 http://localhost/a', '--proxy cannot be imported. Remove it'],
    ['curl http://localhost/a --next http://localhost/b', '--next cannot be imported. Remove it'],
    ['curl --unheard-of http://localhost/a', '--unheard-of cannot be imported. Remove it'],
    ['curl ^"http://localhost/a', 'opened but not closed'],
  ])('rejects a command that cannot be parsed: %j', ([command, words]) => {
    expect(() => read(command ?? '')).toThrow(words);
  });

  it('never fails in any other way, whatever is pasted', () => {
    const sign = oneOf(`curl -dHXuF'"\\^$\`@&;|#(){}[]%=: \n\r\t/ahttp.x\0é`);
    fc.assert(
      fc.property(fc.string({ unit: sign, maxLength: 80 }), fc.boolean(), (rest, prefixed) => {
        try {
          read(`${prefixed ? 'curl ' : ''}${rest}`);
        } catch (error) {
          expect((error as Error).constructor.name).toBe('Unreadable');
        }
      }),
      { numRuns: 500 },
    );
  });
});

describe('a URL of another server', () => {
  const SERVED = ['/oauth/token', '/userinfo', '/.well-known/jwks.json'];
  const at = (url: string, issuer = 'http://localhost:4280', endpoints = {}) => {
    const { origin, target } = read(`curl '${url}'`);
    return ourTarget(origin, target, { issuer, endpoints }, SERVED);
  };

  it('is mapped to the equivalent path here, and the change is reported', () => {
    expect(at('https://tenant.auth0.com/oauth/token?x=1')).toEqual({
      target: '/oauth/token?x=1',
      remarks: [
        {
          kind: 'changed',
          text: 'The command is for https://tenant.auth0.com; here the request is sent to http://localhost:4280/oauth/token.',
        },
      ],
    });
    const paths = {
      '/realms/x/protocol/openid-connect/token': '/oauth/token',
      '/oauth2/v1/introspect': '/oauth/introspect',
      '/oauth2/default/v1/keys': '/.well-known/jwks.json',
      '/connect/endsession': '/logout',
      '/v1/userinfo/': '/userinfo',
      '/x/.well-known/openid-configuration': '/.well-known/openid-configuration',
    };
    for (const [theirs, ours] of Object.entries(paths)) {
      expect(at(`https://a.example${theirs}`).target, theirs).toBe(ours);
    }
  });

  it('keeps a path without an equivalent here, and says so', () => {
    const { target, remarks } = at('https://a.example/orders/1');
    expect(target).toBe('/orders/1');
    expect(remarks[0]?.text).toContain('no such path');
  });

  it('is this server under any of its names, without a report', () => {
    for (const host of ['localhost:4280', '127.0.0.1:4280', '[::1]:4280']) {
      expect(at(`http://${host}/anything`)).toEqual({ target: '/anything', remarks: [] });
    }
    expect(at('http://localhost:5000/a').remarks).toHaveLength(1);
  });

  it('keeps the issuer’s path before the endpoint’s', () => {
    const issuer = 'https://auth.example/tenant';
    expect(at('https://other.example/oauth/token', issuer).target).toBe('/tenant/oauth/token');
    expect(at('https://auth.example/tenant/oauth/token', issuer).remarks).toEqual([]);
  });

  it('is mapped to the provider’s path under a shape', () => {
    const issuer = 'http://localhost:4280/x/v2.0';
    const endpoints = { token: 'http://localhost:4280/x/oauth2/v2.0/token' };
    for (const theirs of ['/oauth/token', '/realms/r/protocol/openid-connect/token']) {
      const { target } = at(`https://other.example${theirs}`, issuer, endpoints);
      expect(target).toBe('/x/oauth2/v2.0/token');
    }
    const { target } = at('https://other.example/oauth/userinfo', issuer, endpoints);
    expect(target).toBe('/x/v2.0/userinfo');
  });
});
