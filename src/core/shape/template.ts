// Templates: JSON with references to values of the user, client, request and token. A template is compiled once, when
// the shape is set, which validates every name. Filling it in takes time linear in its size.

import { isJsonObject } from '../../json.ts';
import { below, nameInPath, type Problem } from '../records/problems.ts';
import { jsonBytes, textBytes } from '../collections/weight.ts';
import { type Facts, type FactsContext, readerOf, type ReadFact } from './facts.ts';

/** Maximum memory of a filled-in template. Members that do not fit are omitted. */
export const MAX_FILLED_BYTES = 64 * 1024;

/** Maximum length of a string with references. */
const MAX_TEXT = 2000;

interface Budget {
  left: number;
  exceeded: boolean;
}

/** undefined if there is no such value; the member is then omitted. */
type Fill = (facts: Facts, budget: Budget) => unknown;

/** Members to set; null removes one. */
export interface Template {
  /** Names of the members that it sets or removes. */
  readonly names: readonly string[];
  fill(facts: Facts): FilledTemplate;
}

export interface FilledTemplate {
  readonly members: Readonly<Record<string, unknown>>;
  readonly removed: readonly string[];
  /** Whether a value was omitted because it did not fit. */
  readonly exceeded: boolean;
}

const isEmpty = (value: unknown) =>
  value === undefined ||
  value === null ||
  value === '' ||
  (Array.isArray(value) && value.length === 0);

/** Charges a value to the budget; returns undefined if it does not fit. */
function charged(value: unknown, bytes: number, budget: Budget): unknown {
  if (bytes > budget.left) {
    budget.exceeded = true;
    return undefined;
  }
  budget.left -= bytes;
  return value;
}

const literal =
  (value: unknown): Fill =>
  (_, budget) =>
    charged(value, jsonBytes(value), budget);

const reference =
  (read: ReadFact): Fill =>
  (facts, budget) => {
    const value = read(facts);
    return isEmpty(value) ? undefined : charged(value, jsonBytes(value), budget);
  };

/** Returns the value as text; undefined for lists and objects. */
function asText(value: unknown): string | undefined {
  if (typeof value === 'string') return value === '' ? undefined : value;
  return typeof value === 'number' || typeof value === 'boolean' ? String(value) : undefined;
}

type Part = string | ReadFact;

function joined(parts: readonly Part[]): Fill {
  return (facts, budget) => {
    let text = '';
    for (const part of parts) {
      const piece = typeof part === 'string' ? part : asText(part(facts));
      if (piece === undefined) return undefined;
      if (textBytes(text) + textBytes(piece) > budget.left) {
        budget.exceeded = true;
        return undefined;
      }
      text += piece;
    }
    return charged(text, textBytes(text), budget);
  };
}

export interface Compilation {
  readonly context: FactsContext;
  /** Names that the shape defines. */
  readonly parameters: readonly string[];
  readonly problems: Problem[];
}

/** Reports a problem. Returns what stands for the value, as no template with problems is ever filled in. */
function wrong({ problems }: Compilation, path: string, message: string): () => undefined {
  problems.push({ path, message });
  return () => undefined;
}

function compileReference(name: string, path: string, compilation: Compilation): ReadFact {
  const read = readerOf(name, compilation.context, compilation.parameters);
  return typeof read === 'function' ? read : wrong(compilation, path, read.message);
}

/** `{name}` in a text is a reference; `{{` and `}}` are braces. */
function compileText(text: string, path: string, compilation: Compilation): Fill {
  if (text.length > MAX_TEXT) {
    return wrong(compilation, path, `must be at most ${MAX_TEXT} characters`);
  }
  if (!text.includes('{') && !text.includes('}')) return literal(text);
  const parts: Part[] = [];
  let plain = '';
  for (let at = 0; at < text.length; at += 1) {
    const character = text.charAt(at);
    if (character !== '{' && character !== '}') {
      plain += character;
    } else if (text.charAt(at + 1) === character) {
      plain += character;
      at += 1;
    } else if (character === '}') {
      return wrong(compilation, path, 'has a } without a {; write }} for a literal brace');
    } else {
      const end = text.indexOf('}', at);
      if (end < 0) {
        return wrong(compilation, path, 'has a { without a }; write {{ for a literal brace');
      }
      parts.push(plain, compileReference(text.slice(at + 1, end), path, compilation));
      plain = '';
      at = end;
    }
  }
  parts.push(plain);
  return joined(parts.filter((part) => part !== ''));
}

const OPERATORS = ['$from', '$value', '$scope'];

/** Only if this scope was granted. */
function whereGranted(fill: Fill, scope: unknown, path: string, compilation: Compilation): Fill {
  if (scope === undefined) return fill;
  if (typeof scope !== 'string' || scope === '') {
    return wrong(compilation, below(path, '$scope'), 'must be the name of a scope');
  }
  return (facts, budget) =>
    (facts.scope ?? '').split(' ').includes(scope) ? fill(facts, budget) : undefined;
}

/** `{ "$from": name }` or `{ "$value": template }`, with `$scope` or without. */
function compileOperators(
  template: Readonly<Record<string, unknown>>,
  path: string,
  compilation: Compilation,
): Fill {
  const { $from, $value, $scope } = template;
  const unknown = Object.keys(template).find((name) => !OPERATORS.includes(name));
  if (unknown !== undefined || ($from === undefined) === ($value === undefined)) {
    const message = 'must have either $from or $value, and no other member except $scope';
    return wrong(compilation, path, message);
  }
  if ($from === undefined) {
    const fill = compileValue($value, below(path, '$value'), compilation);
    return whereGranted(fill, $scope, path, compilation);
  }
  const at = below(path, '$from');
  if (typeof $from !== 'string') return wrong(compilation, at, 'must be a string');
  const read = compileReference($from, at, compilation);
  return whereGranted(reference(read), $scope, path, compilation);
}

/** Members without a value are omitted. */
function compileMembers(
  members: readonly (readonly [string, unknown])[],
  path: string,
  compilation: Compilation,
) {
  const compiled = members.map(
    ([name, value]) =>
      [name, compileValue(value, below(path, nameInPath(name)), compilation)] as const,
  );
  return (facts: Facts, budget: Budget) =>
    compiled
      .map(([name, fill]) => [name, fill(facts, budget)] as const)
      .filter(([, value]) => value !== undefined);
}

/** An object is omitted if all its members are. */
function compileObject(
  template: Readonly<Record<string, unknown>>,
  path: string,
  compilation: Compilation,
): Fill {
  const members = Object.entries(template);
  const fill = compileMembers(members, path, compilation);
  return (facts, budget) => {
    const filled = fill(facts, budget);
    return filled.length === 0 && members.length > 0 ? undefined : Object.fromEntries(filled);
  };
}

function compileValue(template: unknown, path: string, compilation: Compilation): Fill {
  if (typeof template === 'string') return compileText(template, path, compilation);
  if (Array.isArray(template)) {
    const items = template.map((item, index) =>
      compileValue(item, `${path}[${index}]`, compilation),
    );
    return (facts, budget) => {
      const filled = items.map((fill) => fill(facts, budget));
      const there = filled.filter((value) => value !== undefined);
      return there.length === 0 && items.length > 0 ? undefined : there;
    };
  }
  if (!isJsonObject(template)) return literal(template);
  return Object.keys(template).some((name) => name.startsWith('$'))
    ? compileOperators(template, path, compilation)
    : compileObject(template, path, compilation);
}

/**
 * Compiles a template of members.
 * @param path its path, which the compilation's problems contain
 */
export function compileTemplate(
  template: Readonly<Record<string, unknown>>,
  path: string,
  compilation: Compilation,
): Template {
  const entries = Object.entries(template);
  const removed = entries.filter(([, value]) => value === null).map(([name]) => name);
  const set = entries.filter(([, value]) => value !== null);
  const fill = compileMembers(set, path, compilation);
  return {
    names: entries.map(([name]) => name),
    fill: (facts) => {
      const budget: Budget = { left: MAX_FILLED_BYTES, exceeded: false };
      const members = Object.fromEntries(fill(facts, budget));
      return { members, removed, exceeded: budget.exceeded };
    },
  };
}
