// Replaces values that differ between runs (credentials and other random text, ports, JWTs) by names. Equal values get
// equal names, so relations are still compared, but not the order in which a build draws random numbers. Text in the
// session itself stays unchanged.

/** Minimum length of random text, apart from an epoch, which its position identifies. */
const RUN = /[A-Za-z0-9_-]{20,}/g;
const JWT = /eyJ[\w-]+\.[\w-]+\.[\w-]*/g;
/** Ordinary words of at least this length in responses. */
const WORDS: ReadonlySet<string> = new Set([
  'Access-Control-Allow-Credentials',
  'Access-Control-Allow-Headers',
  'Access-Control-Allow-Methods',
  'Access-Control-Allow-Origin',
  'Access-Control-Max-Age',
  'Access-Control-Expose-Headers',
  'Access-Control-Request-Headers',
  'Access-Control-Request-Method',
  'Content-Security-Policy',
  'Cross-Origin-Opener-Policy',
  'Cross-Origin-Resource-Policy',
  'X-Content-Type-Options',
  'X-RateLimit-Remaining',
  'additionalProperties',
]);

const UUID = /^[\da-f]{8}(?:-[\da-f]{4}){3}-[\da-f]{12}$/;

/** One in a hundred thousand random texts has no small letter, or no capital one, but then it has several digits. */
const isRandom = (run: string) =>
  UUID.test(run) ||
  (/[a-z]/.test(run) && /[A-Z]/.test(run) && !WORDS.has(run)) ||
  /[A-Za-z].*(?:\d.*){3}/.test(run);

/** The kind of credentials and identifiers; JWTs and keys contain theirs. */
const LONGEST = 64;

/** The length of random text, which is part of the recording. */
const nameWithLength = (value: string, name: string) =>
  value.includes('.') || value.length > LONGEST ? `<${name}>` : `<${name}:${value.length}>`;

export interface Symbols {
  /** Replaces the value by this name from now on. */
  readonly give: (value: string, name: string) => void;
  /** The text with names in place of varying values. */
  readonly write: (text: string) => string;
  /** The identifier of an access token, `<epoch>.<lineage>.<n>`, with a name for the epoch. */
  readonly writeTokenId: (id: string) => string;
  readonly nameOf: (value: string, kind: string) => string;
  /** JWTs named since the last call. */
  readonly takeJwts: () => [name: string, jwt: string][];
}

/** @param literals all text in the session itself */
export function createSymbols(
  literals: string,
  ports: () => Readonly<Record<string, number>>,
): Symbols {
  const names = new Map<string, string>();
  const taken = new Set<string>();
  const counts = new Map<string, number>();
  let jwts: [string, string][] = [];

  const put = (value: string, name: string) => {
    names.set(value, name);
    taken.add(name);
    if (/^eyJ[\w-]+\./.test(value)) jwts.push([name, value]);
    return name;
  };
  const nameOf = (value: string, kind: string): string => {
    const known = names.get(value);
    if (known !== undefined) return known;
    const count = (counts.get(kind) ?? 0) + 1;
    counts.set(kind, count);
    return put(value, nameWithLength(value, `${kind} ${count}`));
  };
  const give = (value: string, name: string) => {
    if (value === '' || literals.includes(value) || names.has(value)) return;
    let free = nameWithLength(value, name);
    for (let count = 2; taken.has(free); count++) {
      free = nameWithLength(value, `${name} #${count}`);
    }
    put(value, free);
  };
  const writePorts = (text: string) => {
    // Most texts have no number as long as a port.
    if (!/\d{4}/.test(text)) return text;
    let written = text;
    for (const [name, port] of Object.entries(ports())) {
      const before = String.raw`(localhost|127\.0\.0\.1|\])(:|%3A)`;
      written = written.replace(new RegExp(`${before}${port}(?!\\d)`, 'g'), `$1$2<${name}>`);
      written = written.replace(
        new RegExp(`(_session|_browser)_${port}(?!\\d)`, 'g'),
        `$1_<${name}>`,
      );
    }
    return written;
  };
  const writeKnown = (text: string) => {
    let written = text;
    for (const [value, name] of names) {
      const short = value.length < 20 || /[^\w-]/.test(value);
      if (short && value.length >= 6) written = written.replaceAll(value, name);
    }
    return written;
  };
  const write = (text: string) => {
    const withoutJwts = text.replace(JWT, (jwt) =>
      literals.includes(jwt) ? jwt : nameOf(jwt, 'jwt'),
    );
    return writePorts(writeKnown(withoutJwts)).replace(RUN, (run) =>
      names.has(run) || (isRandom(run) && !literals.includes(run)) ? nameOf(run, 'random') : run,
    );
  };
  return {
    give,
    write,
    nameOf,
    writeTokenId: (id) => {
      const [, epoch = '', rest = ''] = /^([\w-]{8})(\..+)$/.exec(id) ?? [];
      return epoch === '' ? write(id) : `${nameOf(epoch, 'epoch')}${rest}`;
    },
    takeJwts: () => {
      const since = jwts;
      jwts = [];
      return since;
    },
  };
}
