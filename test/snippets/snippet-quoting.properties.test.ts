// Any text as a literal of each language evaluates to the same text. One process evaluates many texts.

import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { createOutgoing } from '../../src/engine/handlers/send-request.ts';
import { curl } from '../../src/renderer/snippets/curl.ts';
import { byLine, csharp, go, java, js, python, sh } from '../../src/renderer/snippets/literals.ts';
import { startEcho } from '../support/echo.ts';
import { fuzzing } from '../support/fuzz.ts';
import { missing, runCode } from '../support/snippet-runtimes.ts';

const SIGNS = Array.from(
  `'"\\\`$!%^{}()#@;&|<>~*?[]=+-/ux0nrtN \n\r\t\0\u0007\u001b\u007f\u0085\u00a0`,
);
const UNSEEN = Array.from('\u2028\u2029\u200b\u202e\ufeff\u{e0001}é漢🎉\u{10ffff}');

const text = fc.oneof(
  fc.string({ unit: fc.constantFrom(...SIGNS, ...UNSEEN, '${', '%{', '#{', '\\u', "'''", '"""') }),
  fc.string({ unit: 'binary' }),
);
const texts = fc.array(text, { minLength: 60, maxLength: 60, size: 'max' });

const base64 = (one: string) => Buffer.from(one).toString('base64');

interface Dialect {
  readonly id: string;
  readonly literal: (text: string) => string;
  /** Line separators. */
  readonly join: string;
  /** A program that prints each text in base64, one per line. */
  readonly program: (literals: readonly string[]) => string;
}

const lines = (literals: readonly string[], wrap: (literal: string) => string) =>
  literals.map(wrap).join('\n');

const DIALECTS: readonly Dialect[] = [
  {
    id: 'fetch',
    literal: js,
    join: ' +\n',
    program: (all) => lines(all, (one) => `console.log(Buffer.from(${one}).toString('base64'))`),
  },
  {
    id: 'python',
    literal: python,
    join: '\n',
    program: (all) =>
      `import base64\n${lines(all, (one) => `print(base64.b64encode((${one}).encode()).decode())`)}`,
  },
  {
    id: 'java',
    literal: java,
    join: '\n + ',
    program: (all) => `class Snippet { public static void main(String[] args) throws Exception {
${lines(all, (one) => `System.out.println(java.util.Base64.getEncoder().encodeToString((${one}).getBytes("UTF-8")));`)}
} }`,
  },
  {
    id: 'csharp',
    literal: csharp,
    join: '\n + ',
    program: (all) =>
      lines(
        all,
        (one) =>
          `Console.WriteLine(Convert.ToBase64String(System.Text.Encoding.UTF8.GetBytes(${one})));`,
      ),
  },
  {
    id: 'go',
    literal: go,
    join: ' +\n',
    program: (all) =>
      `package main\nimport ("encoding/base64"; "fmt")\nfunc main() {\n${lines(
        all,
        (one) => `fmt.Println(base64.StdEncoding.EncodeToString([]byte(${one})))`,
      )}\n}`,
  },
];

describe.for(DIALECTS)('a literal of $id', ({ id, literal, join, program }) => {
  it('evaluates to its text', async ({ skip }) => {
    const reason = missing(id);
    if (reason !== null) skip(reason);
    await fc.assert(
      fc.asyncProperty(texts, async (all) => {
        const literals = all.map((one) => byLine(one, literal, join));
        const printed = await runCode(id, [program(literals)]);
        expect(printed.split(/\r?\n/).slice(0, -1)).toEqual(all.map(base64));
      }),
      fuzzing(1),
    );
  });
});

it('a shell word evaluates to its text', async ({ skip }) => {
  const reason = missing('curl');
  if (reason !== null) skip(reason);
  await fc.assert(
    fc.asyncProperty(texts, async (all) => {
      const words = all.map((one) => one.replaceAll('\0', ''));
      const printed = await runCode('curl', [`printf '%s\\0' ${words.map(sh).join(' ')}`]);
      expect(printed.split('\0').slice(0, -1)).toEqual(words);
    }),
    fuzzing(2),
  );
});

const visible = fc.string({ unit: fc.constantFrom(...visibleAscii()), maxLength: 24 });

function visibleAscii(): string[] {
  return Array.from({ length: 0x7e - 0x20 }, (_, index) => String.fromCharCode(0x21 + index));
}

it('curl sends any path that the composer accepts unchanged, with any body', async ({ skip }) => {
  const reason = missing('curl');
  if (reason !== null) skip(reason);
  const request = fc.record({ target: visible.map((rest) => `/${rest}`), body: text });
  await fc.assert(
    fc.asyncProperty(fc.array(request, { minLength: 20, maxLength: 20 }), async (all) => {
      const echo = await startEcho();
      const commands = all.map(({ target, body }) => {
        const message = { method: 'POST', headers: [], body };
        createOutgoing({ ...message, path: target }, { host: '', port: 1, cert: null }, []);
        return curl.write({ ...message, url: `${echo.origin}${target}` }).text;
      });
      await runCode('curl', [`set -e\n${commands.join('\n')}`]);
      const arrived = echo.taken().map(({ target, body }) => ({ target, body: body.toString() }));
      expect(arrived).toEqual(all);
    }),
    fuzzing(2),
  );
});
