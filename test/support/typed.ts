// Values against types of TypeScript, where a published format comes as types and not as a schema. As each value is
// written out as a literal, a member that the type does not have is a problem, too.

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

/** It is never written; modules are looked up from here. */
const FILE = fileURLToPath(new URL('typed-value.ts', import.meta.url)).replaceAll('\\', '/');

export interface TypedValue {
  readonly value: unknown;
  /** The name of its type, and the module that exports it. */
  readonly type: string;
  readonly module: string;
}

const declarationOf = ({ value, type, module }: TypedValue, index: number) =>
  `export const value${index}: import('${module}').${type} = ${JSON.stringify(value)};`;

/** What the compiler says of the values, in their order. */
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
