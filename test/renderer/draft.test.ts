// The request being composed: its text and fields stay in step, its credentials can move, and problems are reported.

import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { basicAuthorization } from '../../src/oauth/client-authentication.ts';
import {
  EMPTY_DRAFT,
  withBodyRows,
  withBodyText,
  withFormat,
  withHeaders,
  withQuery,
  withTarget,
  type Draft,
} from '../../src/renderer/composing/draft.ts';
import {
  parseRows,
  printRows,
  rowOf,
  withHeader,
  mapRows,
} from '../../src/renderer/composing/field-rows.ts';
import { jsonMembers } from '../../src/renderer/composing/field-rows.ts';
import { placementOf, withPlacement } from '../../src/renderer/composing/credential-places.ts';
import {
  maskedText,
  problemsOf,
  requestTextOf,
  wireOf,
} from '../../src/renderer/composing/draft.ts';
import { LANGUAGES } from '../../src/renderer/snippets/languages.ts';

const rows = (...pairs: [string, string][]) => pairs.map(([name, value]) => rowOf(name, value));
const pairsOf = (draft: Draft) => draft.body.rows?.map(({ name, value }) => [name, value]);
const json = (text: string) => withBodyText(withFormat(EMPTY_DRAFT, 'json'), text);
const form = (text: string) => withBodyText(EMPTY_DRAFT, text);
const edited = (draft: Draft, name: string, value: string) =>
  mapRows(draft.body.rows ?? [], (row) =>
    row.name === name ? { ...row, value, literal: false, source: null } : row,
  );

describe('fields and their text', () => {
  it('a form is parsed into its fields, including repeated and empty fields', () => {
    expect(pairsOf(form('a=1&b=&a=2&c&d=x%3Dy+z%C3%A9'))).toEqual([
      ['a', '1'],
      ['b', ''],
      ['a', '2'],
      ['c', ''],
      ['d', 'x=y zé'],
    ]);
  });

  it('fields that are not edited keep their spelling', () => {
    const draft = form('a=%7e&b=x%20y&c');
    const rewritten = withBodyRows(draft, edited(draft, 'b', 'new value'));
    expect(rewritten.body.text).toBe('a=%7e&b=new+value&c');
    const object = json('{"a" : "\\u0041", "b": [1, {"x": "}"}], "c": 5.0}');
    const renamed = withBodyRows(object, edited(object, 'c', '6'));
    expect(renamed.body.text).toBe('{\n  "a" : "\\u0041",\n  "b": [1, {"x": "}"}],\n  "c": "6"\n}');
  });

  it('JSON is parsed into its members: non-string values stay verbatim, and names may repeat', () => {
    expect(json('{"a":"x\\n","b":5,"a":null,"c":["]"]}').body.rows).toMatchObject([
      { name: 'a', value: 'x\n', literal: false },
      { name: 'b', value: '5', literal: true },
      { name: 'a', value: 'null', literal: true },
      { name: 'c', value: '["]"]', literal: true },
    ]);
  });

  it('text without fields is sent as typed', () => {
    for (const text of ['{"a":', '[1]', '"a"', 'null', '{"a":1}}']) {
      const draft = json(text);
      expect(draft.body.rows).toBeNull();
      expect(wireOf(draft).body).toBe(text);
    }
    expect(form('a=%zz').body.rows).toBeNull();
    expect(form('a=%ff').body.rows).toBeNull();
  });

  it('an empty row is not sent', () => {
    expect(withBodyRows(EMPTY_DRAFT, rows(['a', '1'], ['', ''])).body.text).toBe('a=1');
    expect(withBodyRows(json('{}'), rows(['', ''])).body.text).toBe('');
  });

  it('any fields survive being written and parsed again', () => {
    const pairs = fc.array(
      fc.tuple(
        fc.string({ unit: 'binary', minLength: 1 }),
        fc.oneof(fc.string({ unit: 'binary' }), fc.constantFrom('__proto__', '"\\', '{}', '[')),
      ),
      { maxLength: 6 },
    );
    fc.assert(
      fc.property(pairs, fc.constantFrom('json', 'form'), (given, format) => {
        const text = printRows(rows(...given), format);
        const back = parseRows(text, format)?.map(({ name, value }) => [name, value]);
        expect(back).toEqual(given);
      }),
    );
  });

  it('any JSON object is split into its members verbatim', () => {
    fc.assert(
      fc.property(fc.object({ maxDepth: 2 }), fc.constantFrom(0, 2), (object, indent) => {
        const text = JSON.stringify(object, null, indent);
        const members = jsonMembers(text) ?? [];
        const again = members.map(({ source }) => source).join(',');
        expect(JSON.parse(`{${again}}`)).toEqual(JSON.parse(text));
        expect(members.map(({ name }) => name)).toEqual(Object.keys(JSON.parse(text) as object));
      }),
    );
  });
});

describe('the query and the path', () => {
  it('form one text, and the query also appears as fields', () => {
    const draft = withTarget(EMPTY_DRAFT, '/authorize?a=1&b=x%20y');
    expect(draft.query).toMatchObject([
      { name: 'a', value: '1' },
      { name: 'b', value: 'x y' },
    ]);
    expect(withQuery(draft, rows(['c', 'd e'])).target).toBe('/authorize?c=d+e');
    expect(withQuery(draft, []).target).toBe('/authorize');
  });

  it('a typed question mark stays', () => {
    expect(withTarget(EMPTY_DRAFT, '/a?').target).toBe('/a?');
  });
});

describe('the format of the body', () => {
  it('changes together with the content type and keeps the fields', () => {
    const draft = withFormat(form('a=1&b=x+y'), 'json');
    expect(draft.body.text).toBe('{\n  "a": "1",\n  "b": "x y"\n}');
    expect(wireOf(draft).headers).toEqual([['Content-Type', 'application/json']]);
    const back = withFormat(draft, 'form');
    expect(back.body.text).toBe('a=1&b=x+y');
    expect(wireOf(back).headers).toEqual([['Content-Type', 'application/x-www-form-urlencoded']]);
  });

  it('leaves text without fields unchanged', () => {
    const draft = withFormat(json('{"a":'), 'form');
    expect(draft.body.text).toBe('{"a":');
    expect(withFormat(form('a=%zz'), 'json').body).toMatchObject({ text: 'a=%zz', rows: null });
  });
});

describe('the client’s credentials', () => {
  const demo = { client_id: 'demo app', client_secret: 's:é' };
  const start = form('grant_type=refresh_token&client_id=demo+app&client_secret=s%3A%C3%A9&x=1');

  it('move from the body to the header, and back', () => {
    expect(placementOf(start)).toBe('body');
    const inHeader = withPlacement(start, 'basic', demo);
    expect(placementOf(inHeader)).toBe('basic');
    expect(inHeader.body.text).toBe('grant_type=refresh_token&x=1');
    expect(wireOf(inHeader).headers).toEqual([['Authorization', basicAuthorization(demo)]]);
    const back = withPlacement(inHeader, 'body', { client_id: 'other', client_secret: 'other' });
    expect(pairsOf(back)).toEqual([
      ['grant_type', 'refresh_token'],
      ['client_id', 'demo app'],
      ['client_secret', 's:é'],
      ['x', '1'],
    ]);
    expect(wireOf(back).headers).toEqual([]);
  });

  it('of a public client are only its client_id', () => {
    const none = withPlacement(start, 'none', demo);
    expect(none.body.text).toBe('grant_type=refresh_token&client_id=demo+app&x=1');
    expect(placementOf(none)).toBe('none');
    const again = withPlacement(none, 'body', demo);
    expect(pairsOf(again)).toContainEqual(['client_secret', 's:é']);
  });

  it('never combine one client’s id with another client’s secret', () => {
    const other = form('client_id=other');
    expect(withPlacement(other, 'body', demo).body.text).toBe('client_id=other&client_secret=');
  });

  it('that are sent twice are reported, and move together', () => {
    const both = withHeaders(start, withHeader([], 'Authorization', basicAuthorization(demo)));
    expect(placementOf(both)).toBe('both');
    expect(wireOf(withPlacement(both, 'body', demo)).headers).toEqual([]);
  });

  it('do not replace a token in the header or a body without fields', () => {
    const bearer = withHeaders(start, rows(['authorization', 'Bearer abc']));
    expect(wireOf(withPlacement(bearer, 'none', demo)).headers).toEqual([
      ['authorization', 'Bearer abc'],
    ]);
    const raw = json('{"a":');
    expect(withPlacement(raw, 'basic', demo)).toBe(raw);
  });
});

describe('headers', () => {
  it('are set once, in their former position', () => {
    const given = rows(['A', '1'], ['content-type', 'x'], ['B', '2'], ['Content-Type', 'y']);
    expect(withHeader(given, 'Content-Type', 'z').map(({ name, value }) => [name, value])).toEqual([
      ['A', '1'],
      ['content-type', 'z'],
      ['B', '2'],
    ]);
  });

  it('are sent without surrounding white space, and blank rows are omitted', () => {
    const draft = withHeaders(EMPTY_DRAFT, rows([' X-A ', ' 1 '], ['', ''], ['X-E', '']));
    expect(wireOf(draft).headers).toEqual([
      ['X-A', '1'],
      ['X-E', ''],
    ]);
  });
});

describe('a request that cannot be sent', () => {
  const problems = (members: Partial<Draft>) => problemsOf({ ...EMPTY_DRAFT, ...members });

  it('reports each problem at its field', () => {
    expect(problems({})).toEqual({});
    expect(problems({ method: 'get' })).toHaveProperty('method');
    for (const target of ['', 'a', '/a b', '/é', 'http://x/a', '/a\n']) {
      expect(problems({ target }), target).toHaveProperty('path');
    }
    for (const name of ['', 'a b', 'a:', 'é', 'Connection', 'Transfer-Encoding']) {
      expect(problems({ headers: rows(['A', '1'], [name, 'x']) }), name).toHaveProperty([
        'headers.1',
      ]);
    }
    for (const value of ['a\nb', '\0', '漢']) {
      expect(problems({ headers: rows(['A', value]) }), value).toHaveProperty(['headers.0']);
    }
  });
});

describe('the preview of a request', () => {
  it('masks client secrets in every language, while the copy contains them', () => {
    const draft = withHeaders(
      withTarget(form('client_secret=topsecret&code=abc'), '/oauth/token?client_secret=topsecret'),
      rows(['Authorization', 'Basic dG9wc2VjcmV0'], ['X-A', 'b: c']),
    );
    const request = requestTextOf({ ...draft, method: 'POST' }, 'http://localhost:4280');
    expect(JSON.stringify(request).match(/topsecret/g)).toHaveLength(2);
    const shown = JSON.stringify(maskedText(request));
    expect(shown).not.toContain('topsecret');
    expect(shown).not.toContain('dG9wc2VjcmV0');
    expect(shown).toContain('code=abc');
    expect(maskedText(request).headers).toContainEqual(['X-A', 'b: c']);
    for (const { name, write } of LANGUAGES) {
      expect(write(maskedText(request)).text, name).toContain('code=abc');
      expect(write(maskedText(request)).text, name).not.toMatch(/topsecret|dG9wc2VjcmV0/);
      expect(write(request).text, name).toContain('topsecret');
    }
  });

  it('is well-formed Unicode, as on the wire', () => {
    expect(requestTextOf(form('a=\ud800'), 'http://h').body).toBe('a=\ufffd');
  });
});
