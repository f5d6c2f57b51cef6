// Descriptions of the members of a token by the sandbox clock, and warnings.

import { describe, expect, test } from 'vitest';
import {
  asText,
  expInWords,
  explainClaims,
  explainHeader,
  explainProof,
  explainProofHeader,
  lifeOf,
  timeInWords,
} from '../../src/oauth/claims.ts';
import { findingsOn } from '../../src/oauth/findings.ts';
import type { JsonObject } from '../../src/json.ts';

const NOW = new Date(2026, 10, 21, 10, 2, 12).getTime();
const SECONDS = NOW / 1000;
const ISSUER = 'http://localhost:4280';
const context = {
  now: NOW,
  issuer: ISSUER,
  nameOf: (sub: string) => (sub === 'ada' ? 'Ada Example' : null),
  isClient: (id: string) => id === 'demo-app',
};

const says = (name: string, value: unknown, payload: JsonObject = { iss: ISSUER }) =>
  explainClaims(payload, context)(name, value);

describe('the description of a claim, RFC 7519 4.1', () => {
  test.each([
    ['iat', SECONDS - 3, 'Issued 3 s ago'],
    ['exp', SECONDS + 86_399, 'Expires in 1 d (10:02:11 tomorrow)'],
    ['exp', SECONDS - 3600, 'Expired 1 h ago (09:02:12)'],
    ['nbf', SECONDS + 5, 'Not valid before: in 5 s'],
    ['exp', 'tomorrow', 'Expires at an unreadable time: string, not a number'],
    ['exp', '1', 'Expires at an unreadable time: string, not a number'],
    ['exp', null, 'Expires at an unreadable time: object, not a number'],
    ['sub', 'ada', 'Subject: Ada Example'],
    ['sub', 'bob', 'Subject: the user that the token represents'],
    ['iss', ISSUER, 'Issuer: this server'],
    ['iss', 'https://other.example', 'Issuer: not the current issuer of this server'],
    ['sub', 5, 'Subject: the user that the token represents'],
    ['aud', ISSUER, 'Audience: the authentication API itself'],
    ['aud', 'https://orders.example/api', 'Audience: the API that may accept it'],
    ['auth_time', SECONDS - 3, 'Signed in 3 s ago'],
    ['updated_at', SECONDS - 3, 'The profile changed 3 s ago'],
    ['exp', SECONDS, 'Expired now'],
    [
      'cnf',
      { jkt: 'aB3' },
      'Bound to the key with this thumbprint: accepted only with a DPoP proof of that key (RFC 9449 6.1)',
    ],
    ['cnf', { 'x5t#S256': 'aB3' }, 'The key whose possession the holder must prove (RFC 7800)'],
    ['cnf', { jkt: 7 }, 'The key whose possession the holder must prove (RFC 7800)'],
    ['cnf', null, 'The key whose possession the holder must prove (RFC 7800)'],
    ['cnf', 'aB3', 'The key whose possession the holder must prove (RFC 7800)'],
    ['jti', 'aB3.7.12', 'Token 12 of lineage 7'],
    ['jti', 'e6f1', 'Identifies this token'],
    ['jti', 'e6f1.7', 'Identifies this token'],
    ['jti', 7, 'Identifies this token'],
    ['role', 'admin', 'Custom claim of the client, the user or the provider shape'],
    ['constructor', 1, 'Custom claim of the client, the user or the provider shape'],
    ['aud', ['https://orders.example/api', 'demo-app'], 'Audience: the client that it is for'],
    ['jti', '2026.06.example', 'Identifies this token'],
  ])('%s %j: %s', (name, value, words) => {
    expect(says(name, value)).toBe(words);
  });

  test('behaviour 2.6: the subject of a token without a user is the client', () => {
    const claims = { iss: ISSUER, sub: 'cron', client_id: 'cron' };
    expect(says('sub', 'cron', claims)).toBe('Subject: the client itself, as no user takes part');
    const { client_id: azp, ...others } = claims;
    expect(says('sub', 'cron', { ...others, azp })).toBe(says('sub', 'cron', claims));
    expect(says('sub', 'ada', { ...claims, sub: 'ada' })).toBe('Subject: Ada Example');
  });

  test('a token of another issuer has no lineage here', () => {
    const foreign = { iss: 'https://other.example' };
    expect(says('jti', '2026.06.1', foreign)).toBe('Identifies this token');
    expect(says('jti', '2026.06.1')).toBe('Token 1 of lineage 06');
  });

  test('a time in milliseconds is recognized', () => {
    expect(says('exp', NOW - 60_000)).toMatch(/^Expired 1 min ago .*, if these are milliseconds/);
    expect(says('exp', NOW + 60_000)).toBe(
      'Expires in 1 min (10:03:12), if these are milliseconds; a NumericDate counts seconds',
    );
  });

  test('a NumericDate is one up to the year 5138, after which it is a time in milliseconds', () => {
    expect(says('nbf', 99_999_999_999)).not.toContain('milliseconds');
    for (const ms of [100_000_000_000, -100_000_000_000])
      expect(says('nbf', ms)).toMatch(/, if these are milliseconds; a NumericDate counts seconds$/);
  });

  test('private claims of a foreign token are attributed to its issuer', () => {
    expect(says('role', 'admin', { iss: 'https://other.example' })).toBe(
      'A custom claim of the issuer',
    );
  });

  test('a header is described as that of a signed or an encrypted token', () => {
    expect(explainHeader({ alg: 'RS256' }, context)('alg', 'RS256')).toBe('Signature algorithm');
    expect(explainHeader({ alg: 'dir', enc: 'A256GCM' }, context)('alg', 'dir')).toBe(
      'How the content key is encrypted',
    );
  });

  test('the type of a token is named, and an unknown member of a header is one', () => {
    const header = explainHeader({}, context);
    expect(header('typ', 'at+jwt')).toBe('An access token (RFC 9068)');
    expect(header('typ', 'own+jwt')).toBe('Type of the token');
    expect(header('own', 1)).toBe('Header parameter');
  });

  test('RFC 9449 4.2: a DPoP proof is described by what each claim binds it to', () => {
    const claim = explainProof(context);
    expect(claim('iat', SECONDS)).toBe('Created now: it is accepted for a short time');
    expect(claim('htm', 'POST')).toBe('Binds it to the method of the request');
    expect(claim('scope', 'openid')).toBe('Not a claim of DPoP');
    const member = explainProofHeader(context);
    expect(member('alg', 'ES256')).toBe('Signature algorithm, which must be asymmetric');
    expect(member('typ', 'dpop+jwt')).toBe('A DPoP proof (RFC 9449)');
    expect(member('own', 1)).toBe('Header parameter');
  });

  test('the text of a claim is a time only if the claim is one, and the text a number', () => {
    for (const name of ['iat', 'nbf', 'exp', 'auth_time', 'updated_at'])
      expect(timeInWords(name, String(SECONDS - 3), NOW)).toBe('3 s ago');
    expect(timeInWords('exp', `${SECONDS - 3}.25`, NOW)).toMatch(/^3 s ago|^2 s ago/);
    expect(timeInWords('amount', '1800000000', NOW)).toBeNull();
    for (const text of ['', 'x1', '1x', '1.', '.5', '1.5x', 'soon'])
      expect(timeInWords('exp', text, NOW)).toBeNull();
  });

  test('short values are shown on one line, and long ones as JSON on several', () => {
    expect(asText('a "b"')).toBe('a "b"');
    expect(asText({ a: 1 })).toBe('{"a":1}');
    expect(asText({ a: 'x'.repeat(52) })).toBe(`{"a":"${'x'.repeat(52)}"}`);
    expect(asText({ a: 'x'.repeat(53) })).toBe(`{\n  "a": "${'x'.repeat(53)}"\n}`);
    const deep = JSON.parse(`${'['.repeat(100_000)}${']'.repeat(100_000)}`) as unknown;
    expect(asText(deep)).toBe('nested too deeply to show');
  });
});

describe('the remaining lifetime', () => {
  test('is the remaining share of the time between iat and exp', () => {
    expect(lifeOf({ iat: SECONDS - 10, exp: SECONDS + 90 }, NOW)).toEqual({ whole: 100, left: 90 });
    expect(lifeOf({ iat: SECONDS - 100, exp: SECONDS - 10 }, NOW)).toEqual({
      whole: 90,
      left: -10,
    });
  });

  test('is that of at least one second, even for a token that expires before it is issued', () => {
    expect(lifeOf({ iat: SECONDS, exp: SECONDS }, NOW)).toEqual({ whole: 1, left: 0 });
    expect(lifeOf({ iat: SECONDS, exp: SECONDS - 60 }, NOW)).toEqual({ whole: 1, left: -60 });
  });

  test('is told as the exp claim, whatever the state of the token', () => {
    const left = (seconds: number, ended = false) =>
      expInWords({ whole: 60, left: seconds }, NOW, ended);
    expect(left(5)).toBe('exp claim: expires in 5 s');
    expect(left(5, true)).toBe('exp claim: still expires in 5 s');
    expect(left(0)).toMatch(/^exp claim: expired /);
    expect(left(-5, true)).toBe('exp claim: expired 5 s ago');
  });

  test('is unknown if either time is in milliseconds', () => {
    const most = 99_999_999_999;
    expect(lifeOf({ iat: -most, exp: most }, NOW)).not.toBeNull();
    for (const ms of [most + 1, -most - 1]) {
      expect(lifeOf({ iat: SECONDS, exp: ms }, NOW)).toBeNull();
      expect(lifeOf({ iat: ms, exp: SECONDS }, NOW)).toBeNull();
    }
    expect(lifeOf({ iat: SECONDS, exp: NOW }, NOW)).toBeNull();
    expect(lifeOf({ iat: NOW, exp: SECONDS }, NOW)).toBeNull();
  });

  test.each([{}, { iat: 1 }, { iat: 1, exp: '2' }, { iat: NOW, exp: NOW + 1 }])(
    'is unknown for %j',
    (payload) => {
      expect(lifeOf(payload, NOW)).toBeNull();
    },
  );
});

describe('warnings', () => {
  const titles = (header: JsonObject, payload: JsonObject, signature = 'c2ln') =>
    findingsOn({ header, payload, parts: ['h', 'p', signature] }, NOW).map(({ title }) => title);
  const signed = { alg: 'RS256' };
  const good = { iat: SECONDS, exp: SECONDS + 60 };

  test.each([
    ['nothing', signed, good, 'c2ln', []],
    ['nothing for alg none, which the signature check reports', { alg: 'none' }, good, '', []],
    ['nothing for alg NONE', { alg: 'NONE' }, good, '', []],
    ['a missing alg', {}, good, 'c2ln', ['No alg']],
    ['an unreadable alg', { alg: 5 }, good, 'c2ln', ['Unreadable alg']],
    ['a missing signature', signed, good, '', ['No signature']],
    [
      'critical members',
      { alg: 'RS256', crit: ['b64'] },
      good,
      'c2ln',
      ['Critical header members'],
    ],
    [
      'a missing signature beside critical members',
      { alg: 'RS256', crit: ['b64'] },
      good,
      '',
      ['No signature', 'Critical header members'],
    ],
    ['no exp', signed, { iat: SECONDS }, 'c2ln', ['Never expires']],
    ['an expiry without iat', signed, { exp: SECONDS - 5 }, 'c2ln', ['Expired']],
    ['an nbf in the future', signed, { ...good, nbf: SECONDS + 60 }, 'c2ln', ['Not valid yet']],
    [
      'an iat in the future',
      signed,
      { ...good, iat: SECONDS + 30 },
      'c2ln',
      ['Issued in the future'],
    ],
    [
      'times in milliseconds',
      signed,
      { iat: NOW, nbf: NOW, exp: NOW + 60_000 },
      'c2ln',
      ['iat in milliseconds', 'nbf in milliseconds', 'exp in milliseconds'],
    ],
    ['an exp that is a string', signed, { ...good, exp: '1' }, 'c2ln', ['Unreadable exp']],
    [
      'only the form of times that are strings',
      signed,
      { ...good, iat: String(SECONDS + 60), nbf: String(SECONDS + 60) },
      'c2ln',
      ['Unreadable iat', 'Unreadable nbf'],
    ],
  ])('report %s', (_, header, payload, signature, expected) => {
    expect(titles(header, payload, signature)).toEqual(expected);
  });

  test('say which claim is wrong, when, and by which clock', () => {
    const texts = (header: JsonObject, payload: JsonObject) =>
      findingsOn({ header, payload, parts: ['h', 'p', 'c2ln'] }, NOW).map(({ tone, text }) => [
        tone,
        text,
      ]);
    expect(texts({ alg: 'RS256', crit: ['b64', 'exp'] }, good)).toEqual([
      ['warn', 'A verifier that does not understand b64, exp must reject it (RFC 7515 4.1.11).'],
    ]);
    expect(texts({ alg: 'RS256', crit: 5 }, good)).toEqual([
      [
        'warn',
        'A verifier that does not understand unreadable values must reject it (RFC 7515 4.1.11).',
      ],
    ]);
    expect(texts(signed, { iat: '1', nbf: '1', exp: '1' })).toEqual([
      ['bad', 'It must be a number of seconds (RFC 7519 4.1.6).'],
      ['bad', 'It must be a number of seconds (RFC 7519 4.1.5).'],
      ['bad', 'It must be a number of seconds (RFC 7519 4.1.4).'],
    ]);
    expect(texts(signed, { exp: SECONDS })).toEqual([['bad', 'now, by the sandbox clock.']]);
    expect(texts(signed, { ...good, iat: SECONDS + 30, nbf: SECONDS + 30 })).toEqual([
      ['bad', 'The time in its nbf claim is in 30 s, by the sandbox clock.'],
      ['warn', 'in 30 s: the clocks differ, or the sandbox clock was set back.'],
    ]);
  });

  test('tolerate one second, and an expiry that the lifetime shows', () => {
    expect(titles(signed, { ...good, iat: SECONDS + 1, nbf: SECONDS + 1 })).toEqual([]);
    expect(titles(signed, { ...good, iat: SECONDS + 1.5, nbf: SECONDS + 1.5 })).toEqual([
      'Not valid yet',
      'Issued in the future',
    ]);
    expect(titles(signed, { exp: SECONDS + 5 })).toEqual([]);
    expect(titles(signed, { iat: SECONDS - 9, exp: SECONDS - 5 })).toEqual([]);
  });
});
