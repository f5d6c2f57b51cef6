import { join } from 'node:path';
import parser from '@typescript-eslint/parser';
import reactHooks from 'eslint-plugin-react-hooks';
import redos from 'eslint-plugin-redos';
import regex from 'eslint-plugin-regex';
import { defineConfig, includeIgnoreFile } from 'eslint/config';
import { REPAIRS } from './scripts/wording.mjs';

const ambient = (name, port) => ({
  name,
  message: `core is handed its ${port}; see core/model/ports.ts.`,
});

const ambientGlobals = [
  ambient('performance', 'clock'),
  ambient('setTimeout', 'clock'),
  ambient('setInterval', 'clock'),
  ambient('clearTimeout', 'clock'),
  ambient('clearInterval', 'clock'),
  ambient('queueMicrotask', 'clock'),
  { name: 'fetch', message: 'core does no I/O.' },
  { name: 'XMLHttpRequest', message: 'core does no I/O.' },
  { name: 'WebSocket', message: 'core does no I/O.' },
  { name: 'globalThis', message: 'core names what it needs.' },
  { name: 'self', message: 'core names what it needs.' },
];

/** Limits steps, not time, so that the result does not depend on the speed of the machine. */
const NO_CLOCK = {
  ignoreErrors: false,
  timeout: null,
  attackTimeout: null,
  incubationTimeout: null,
};

const CODE_ONLY = { skipBlankLines: true, skipComments: true };

/** Each repetition of such a group takes stack when the pattern is compiled: megabytes of text exhaust it. */
const repeatedGroup = {
  selector: String.raw`Literal[regex.pattern=/(?<=(?:^|[^\\])(?:\\\\)*)\)(?:[*+]|\{\d+,\})/]`,
  message: 'A group repeated without bound runs out of stack on long text; read it in a loop.',
};

/** Comments wrap anywhere, so a space may be a line break with the marks of a comment. */
const wording = Object.entries(REPAIRS).map(([phrase, repair]) => ({
  regex: String.raw`\b(?:${phrase.replaceAll(' ', String.raw`\s+(?:(?:\*|//)\s+)?`)})\b`,
  flags: 'i',
  message: `Reword: ${repair}.`,
}));

/** Markdown as a program without statements, for rules that read the text. */
const plainText = {
  meta: { name: 'plain-text' },
  parse: (text) => ({
    type: 'Program',
    range: [0, text.length],
    loc: { start: { line: 1, column: 0 }, end: { line: text.split('\n').length, column: 0 } },
    body: [],
    comments: [],
    tokens: [],
  }),
};

const ambientCrypto = {
  name: 'crypto',
  message: 'core signs through a port and verifies with jose.',
};

export default defineConfig(
  includeIgnoreFile(join(import.meta.dirname, '.gitignore')),
  {
    files: ['**/*.{ts,tsx,js,mjs,cjs}'],
    languageOptions: { parser },
    linterOptions: { reportUnusedDisableDirectives: 'error' },
  },
  {
    // The limits in CONTRIBUTING.md: a larger file or function tells more than one story.
    files: ['src/**/*.{ts,tsx}', 'scripts/**/*.{ts,mjs}'],
    rules: {
      'max-lines': ['error', { max: 500, ...CODE_ONLY }],
      'max-lines-per-function': ['error', { max: 110, ...CODE_ONLY }],
    },
  },
  {
    // Strangers choose the text that a pattern is matched with, so each must take linear time. Where no pattern does,
    // a parser is written.
    files: ['src/**/*.{ts,tsx}'],
    plugins: { redos },
    rules: {
      'redos/no-vulnerable': ['error', NO_CLOCK],
      'no-restricted-syntax': ['error', repeatedGroup],
    },
  },
  {
    files: ['src/core/**/*.ts'],
    rules: {
      'no-restricted-globals': ['error', ...ambientGlobals, ambientCrypto],
      'no-restricted-properties': [
        'error',
        { object: 'Date', property: 'now', message: 'core is handed its clock.' },
        { object: 'Math', property: 'random', message: 'core is handed its randomness.' },
      ],
      'no-restricted-syntax': [
        'error',
        repeatedGroup,
        {
          selector: "NewExpression[callee.name='Date'][arguments.length=0]",
          message: 'core is handed its clock.',
        },
        { selector: "CallExpression[callee.name='Date']", message: 'core is handed its clock.' },
      ],
    },
  },
  {
    files: ['src/renderer/**/*.{ts,tsx}'],
    extends: [reactHooks.configs.flat['recommended-latest']],
  },
  {
    files: ['**/*.md'],
    languageOptions: { parser: plainText },
  },
  {
    plugins: { regex },
    rules: { 'regex/invalid': ['error', wording, 'scripts/wording'] },
  },
);
