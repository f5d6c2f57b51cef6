// Writes the type declarations of the control API for the package in full, so that projects need neither the
// libraries from which the types are inferred nor the time to infer them.

import { mkdirSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import ts from 'typescript';
import { ROOT } from './run.mjs';

const CONTROL = join(ROOT, 'src', 'control');

/** The names that the library's declarations import from src/control. */
const MODULES = ['contract', 'schemas', 'fault-schemas'];
export const CONTROL_TYPES = new RegExp(`[\\\\/]control[\\\\/](?:${MODULES.join('|')})\\.d\\.ts$`);

const CLIENT = 'ControlClient';
const CALL_OPTIONS = `export interface CallOptions {
  readonly signal?: AbortSignal | undefined;
}`;

function readTypes() {
  const { options } = /** @type {ts.ParsedCommandLine} */ (
    ts.getParsedCommandLineOfConfigFile(
      join(ROOT, 'tsconfig.json'),
      {},
      { ...ts.sys, onUnRecoverableConfigFileDiagnostic: () => undefined },
    )
  );
  const program = ts.createProgram(
    MODULES.map((name) => join(CONTROL, `${name}.ts`)),
    options,
  );
  const checker = program.getTypeChecker();
  const symbols = program
    .getRootFileNames()
    .map((name) =>
      checker.getSymbolAtLocation(/** @type {ts.Node} */ (program.getSourceFile(name))),
    )
    .flatMap((module) => checker.getExportsOfModule(/** @type {ts.Symbol} */ (module)))
    .map((name) => (name.flags & ts.SymbolFlags.Alias ? checker.getAliasedSymbol(name) : name))
    .filter(({ flags }) => flags & ts.SymbolFlags.Type);
  const types = new Map(
    symbols.map((symbol) => [symbol.name, checker.getDeclaredTypeOfSymbol(symbol)]),
  );
  return { checker, types };
}

/** Whether the declaration is in src/control, so that its text is available. @param {ts.Declaration} declaration */
const isOwn = (declaration) =>
  (ts.isInterfaceDeclaration(declaration) || ts.isTypeAliasDeclaration(declaration)) &&
  declaration.getSourceFile().fileName.startsWith(CONTROL.replaceAll('\\', '/'));

/** Writes types in full; a type that already has a name is written as its name. @param {ts.TypeChecker} checker */
function createWriter(checker) {
  /** @type {Map<string, string>} Names by the types that they stand for. */
  const names = new Map();
  /** @type {Set<string>} Our interfaces and generic types that other types use, as in the sources. */
  const sources = new Set();

  /** @param {ts.Type} type */
  const write = (type) => {
    const source = (type.aliasTypeArguments ? type.aliasSymbol : type.symbol)?.declarations?.[0];
    if (source !== undefined && isOwn(source))
      sources.add(source.getText().replace(/^export /, ''));
    const text = checker.typeToString(
      type,
      undefined,
      ts.TypeFormatFlags.NoTruncation | ts.TypeFormatFlags.InTypeAlias,
    );
    return names.get(text) ?? text;
  };
  /** @param {string} name @param {ts.Type} type */
  const declare = (name, type) => {
    const text = write(type);
    names.set(text, name);
    return `export type ${name} = ${text};`;
  };
  return { write, declare, sources };
}

/**
 * Returns the input, from a rest parameter that is a tuple, and the output, from a promise.
 * @param {ts.TypeChecker} checker
 * @param {ts.Signature} signature
 * @returns {[ts.Type, ts.Type]}
 */
function readOperation(checker, signature) {
  const [rest] = signature.parameters.map((parameter) => checker.getTypeOfSymbol(parameter));
  const [input] = checker.getTypeArguments(/** @type {ts.TypeReference} */ (rest));
  const output = checker.getAwaitedType(signature.getReturnType());
  if (input && output) return [input, output];
  throw new TypeError('An operation of the contract takes no input or answers nothing.');
}

/**
 * Writes the client of the contract: groups of operations, each with one input.
 * @param {ts.TypeChecker} checker
 * @param {ts.Type} client
 * @param {(type: ts.Type) => string} write
 */
function declareClient(checker, client, write) {
  /** @type {(symbol: ts.Symbol) => string} */
  const writeMember = (symbol) => {
    const type = checker.getTypeOfSymbol(symbol);
    const [signature] = type.getCallSignatures();
    if (signature === undefined) return `readonly ${symbol.name}: ${writeGroup(type)};`;
    const [input, output] = readOperation(checker, signature);
    const optional = input.flags & ts.TypeFlags.Unknown ? '?' : '';
    return `${symbol.name}(input${optional}: ${write(input)}, options?: CallOptions): Promise<${write(output)}>;`;
  };
  /** @param {ts.Type} type */
  const writeGroup = (type) => `{\n${type.getProperties().map(writeMember).join('\n')}\n}`;
  return `export interface ${CLIENT} ${writeGroup(client)}`;
}

/** @param {string} target the declaration file to write */
export function writeControlDeclarations(target) {
  const { checker, types } = readTypes();
  const { write, declare, sources } = createWriter(checker);
  const named = [...types].filter(([name]) => name !== CLIENT);
  const declared = named.map(([name, type]) => declare(name, type));
  const client = declareClient(checker, /** @type {ts.Type} */ (types.get(CLIENT)), write);
  mkdirSync(dirname(target), { recursive: true });
  writeFileSync(target, [CALL_OPTIONS, ...sources, ...declared, client, ''].join('\n'));
}
