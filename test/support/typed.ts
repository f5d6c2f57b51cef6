// Checks values against TypeScript types, for formats that are published as types instead of a schema. Values are
// written as literals, so unknown members are reported, too.

import { fileURLToPath } from 'node:url';
import ts from 'typescript';

const OPTIONS: ts.CompilerOptions = {
  strict: true,
  noEmit: true,
  skipLibCheck: true,
  types: [],
  target: ts.ScriptTarget.ES2023,
  module: ts.ModuleKind.ESNext,
  moduleResolution: ts.ModuleResolutionKind.Bundler,
};

/** Never written; modules are resolved from this path. */
const FILE = fileURLToPath(new URL('typed-value.ts', import.meta.url)).replaceAll('\\', '/');

export interface TypedValue {
  readonly value: unknown;
  /** The name of the type, and the module that exports it. */
  readonly type: string;
  readonly module: string;
}

const declarationOf = ({ value, type, module }: TypedValue, index: number) =>
  `export const value${index}: import('${module}').${type} = ${JSON.stringify(value)};`;

/** The compiler's errors for the values, in order. */
export function problemsOf(values: readonly TypedValue[]): string[] {
  const text = values.map(declarationOf).join('\n');
  const host = ts.createCompilerHost(OPTIONS);
  const { getSourceFile, fileExists } = host;
  host.fileExists = (name) => name === FILE || fileExists(name);
  host.getSourceFile = (name, language, ...rest) =>
    name === FILE
      ? ts.createSourceFile(name, text, language)
      : getSourceFile(name, language, ...rest);
  const program = ts.createProgram([FILE], OPTIONS, host);
  return ts
    .getPreEmitDiagnostics(program)
    .map(({ messageText }) => ts.flattenDiagnosticMessageText(messageText, '\n'));
}
