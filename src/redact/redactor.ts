// Redacts everything that is shown, logged, reported or exported: known secret values, values under the name of a
// secret, and what looks like a credential, however it is escaped. It is pure, and takes time linear in the text,
// whatever the number of secrets. It knows nothing about HTTP servers, registries or stores: known values and issued
// credentials are passed in.

import { assignmentsIn, isScheme, type AssignmentRules } from './assignments.ts';
import { createFindIssued, shapesIn, type ShapeRules } from './credential-shapes.ts';
import {
  afterBlanks,
  type Field,
  fieldAt,
  formFields,
  jsonFields,
  markedFields,
  targetFields,
} from './fields.ts';
import { createKnownValues, type KnownValues } from './known-values.ts';
import { base64Layers, escapeLayers, givenLayer, stringLayer, type Layer } from './layers.ts';
import { isSecretName, kindOfName } from './names.ts';
import { lastAtMost, REDACTED, replaceSpans, type Span } from './spans.ts';

interface RedactorPorts {
  readonly known: Pick<KnownValues, 'spansIn' | 'whole'>;
  /** Whether this text is an issued credential. Called for everything that looks like one. */
  readonly isIssued: (value: string) => boolean;
}

export interface WordRules {
  /** Whether the text contains names of keys, which look like credentials. */
  readonly keys?: boolean;
}

export interface Redactor {
  /** A path with its query, or a URL. */
  readonly target: (text: string) => string;
  readonly headerName: (name: string) => string;
  readonly headerValue: (name: string, value: string) => string;
  readonly requestBody: (text: string) => string;
  /** The body of a response of this service, in which keys and identifiers look like credentials. */
  readonly responseBody: (text: string) => string;
  /** Text of Grantbench that quotes what was sent: a trace, a cause, a line of a log or report. */
  readonly words: (text: string, rules?: WordRules) => string;
}

/** Options for reading a text. */
interface Rules extends AssignmentRules {
  /** Whether length alone does not make a text a credential. */
  readonly open: boolean;
}

/** Whether an index is within one of the ranges, which may overlap. */
function createRangeCheck(ranges: Span[]) {
  ranges.sort((a, b) => a.start - b.start);
  const starts = ranges.map(({ start }) => start);
  let reached = 0;
  const ends = ranges.map(({ end }) => (reached = Math.max(reached, end)));
  return (index: number): boolean => index < (ends[lastAtMost(starts, index)] ?? 0);
}

type IsOpen = (index: number) => boolean;

function createReader({ known, isIssued }: RedactorPorts) {
  const inLayer = (layer: Layer, rules: ShapeRules): Span[] => [
    ...known.spansIn(layer),
    ...shapesIn(layer, rules),
  ];
  /** Searches the decoded base64 of this layer, and its layers. */
  const inBase64 = (layer: Layer, rules: ShapeRules): Span[] =>
    base64Layers(layer)
      .flatMap(escapeLayers)
      .flatMap((inner) => inLayer(inner, rules));
  const assigned = (layer: Layer, rules: AssignmentRules): Span[] =>
    assignmentsIn(layer.text, rules).map(([start, end]) => ({
      start: layer.start(start),
      end: layer.end(end),
      text: REDACTED,
    }));

  /** Returns where secrets are in a text and its layers, known ones first. */
  const inText = (first: Layer, isOpen: IsOpen, { loose, schemes }: AssignmentRules): Span[] => {
    const rules = { isOpen, may_be_cut: loose, findIssued: createFindIssued(isIssued) };
    return escapeLayers(first)
      .flatMap((layer) => [
        inLayer(layer, rules),
        inBase64(layer, rules),
        assigned(layer, { loose: loose && layer === first, schemes }),
      ])
      .flat();
  };

  return {
    /** Redacts a text according to its apparent format. The caller provides its parts. */
    read: (text: string, fields: Iterable<Field>, { open, ...rules }: Rules): string => {
      const whole: Span[] = [];
      const openRanges: Span[] = [];
      for (const { name, value, span } of fields) {
        const kind = kindOfName(name);
        const shown = kind === 'secret' ? span.text : known.whole(value);
        if (shown !== undefined) whole.push({ ...span, text: shown });
        else if (kind === 'open') openRanges.push(span);
      }
      const isOpen = open ? () => true : createRangeCheck(openRanges);
      return replaceSpans(text, [...inText(givenLayer(text), isOpen, rules), ...whole]);
    },
    /** Each name and value is redacted separately, so that the text stays JSON. */
    readJson: (text: string, { open, ...rules }: Rules): string => {
      const inField = ({ name, value, span }: Field): Span[] => {
        const kind = kindOfName(name);
        if (kind === 'secret' || known.whole(value) !== undefined) return [span];
        const isOpen = () => open || kind === 'open';
        if (text[span.start] === '"') {
          return inText(stringLayer(text, span.start + 1, span.end - 1), isOpen, rules);
        }
        return inText(givenLayer(text, span.start, span.end), isOpen, rules).length > 0
          ? [span]
          : [];
      };
      return replaceSpans(text, [...jsonFields(text)].flatMap(inField));
    },
  };
}

/** Does not require valid JSON, because a fault may truncate a response. */
function beginsAsJson(text: string): boolean {
  const first = text[afterBlanks(text, 0)];
  return first === '{' || first === '[' || first === '"';
}

function isJson(text: string): boolean {
  if (!beginsAsJson(text)) return false;
  try {
    JSON.parse(text);
    return true;
  } catch {
    return false;
  }
}

const NOT_IN_FORM = ' \t\r\n"{}';

/** Whether a text consists of `name=value` pairs and nothing else. */
function isForm(text: string): boolean {
  for (const char of NOT_IN_FORM) if (text.includes(char)) return false;
  return text.split('&').every((pair) => pair.indexOf('=') > 0);
}

function* allFields(text: string): Generator<Field> {
  yield* jsonFields(text);
  yield* formFields(text);
  yield* markedFields(text);
}

/** Redacts a single value. */
const wholeField = (text: string): Field[] => [fieldAt(text, '', 0, text.length)];

/** Headers with long values that are not secrets: trace context, and headers of this service. */
const OPEN_HEADERS = new Set(['traceparent', 'etag', 'content-security-policy']);
/** Says which scheme to use, and is not a credential. */
const CHALLENGES = new Set(['www-authenticate', 'proxy-authenticate']);

/** A header that is always secret. Its scheme is not interpreted. */
function hiddenHeader(value: string): string {
  const [scheme = ''] = value.split(/[ \t]/, 1);
  const shown = scheme.length < value.length && isScheme(scheme);
  return shown ? `${scheme} ${REDACTED}` : REDACTED;
}

const OWN = { open: true, loose: false, schemes: false } as const;
const FOREIGN = { ...OWN, open: false } as const;

export function createRedactor(ports: RedactorPorts): Redactor {
  const { read, readJson } = createReader(ports);
  return {
    target: (text) => read(text, targetFields(text), FOREIGN),
    headerName: (name) => read(name, wholeField(name), FOREIGN),
    headerValue: (name, value) => {
      if (isSecretName(name)) return hiddenHeader(value);
      const lower = name.toLowerCase();
      const open = OPEN_HEADERS.has(lower);
      const schemes = !CHALLENGES.has(lower);
      const fields = [...wholeField(value), ...targetFields(value)];
      return read(value, fields, { open, loose: false, schemes });
    },
    requestBody: (text) => {
      if (isJson(text)) return readJson(text, FOREIGN);
      if (isForm(text)) return read(text, formFields(text), FOREIGN);
      return read(text, allFields(text), { open: false, loose: true, schemes: true });
    },
    responseBody: (text) => {
      if (!beginsAsJson(text)) return read(text, markedFields(text), OWN);
      return isJson(text) ? readJson(text, OWN) : read(text, jsonFields(text), OWN);
    },
    words: (text, { keys = false } = {}) =>
      read(text, wholeField(text), { ...FOREIGN, open: keys }),
  };
}

/**
 * Whether a text or one of its layers contains a secret: a known one that is not very short, an issued credential, or
 * a JWT. Names of values are not considered.
 */
export function createSecretCheck({ known, isIssued }: RedactorPorts): (text: string) => boolean {
  const rules = {
    isOpen: () => true,
    may_be_cut: false,
    findIssued: createFindIssued(isIssued),
  };
  const isIn = (layer: Layer) =>
    known.spansIn(layer).length > 0 || shapesIn(layer, rules).length > 0;
  return (text) =>
    escapeLayers(givenLayer(text)).some(
      (layer) => isIn(layer) || base64Layers(layer).flatMap(escapeLayers).some(isIn),
    );
}

/** Redacts the secrets of these clients, where it is not known which credentials were issued. */
export function createClientRedactor(
  clients: readonly { readonly client_secret: string | null }[],
): Redactor {
  const known = createKnownValues();
  for (const { client_secret } of clients) known.add(client_secret ?? '');
  return createRedactor({ known, isIssued: () => false });
}

/** Redacts text without known secrets, such as an error that ends the process. */
export const withoutCredentials = (text: string): string => createClientRedactor([]).words(text);
