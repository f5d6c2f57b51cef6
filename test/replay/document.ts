// The format of a corpus file: a session, which consists of a sandbox and its steps, each with its result. It is plain
// JSON and independent of src, so that recordings do not change with the code.

/** The options that a sandbox is started with. */
export interface Sandbox {
  /** The workspace file; `keys` names entries of corpus/keys.json. */
  readonly workspace?: Readonly<Record<string, unknown>>;
  readonly keys?: readonly string[];
  /** Sets the issuer for the run, as a command line option does. */
  readonly issuer?: string;
  readonly https?: true;
  /** Saves the workspace to its file. */
  readonly save?: true;
  /** Stores signing keys, epochs and denials in a file. */
  readonly keep?: true;
  /** Starts from a document that a session of an earlier build wrote. */
  readonly found?: string;
  /** Writes its files and variables to this document. */
  readonly leaves?: string;
}

interface Named {
  /** Describes the step; named when a replay differs. */
  readonly name: string;
}

/**
 * Variables taken from an answer, by source: `json:a.b`, `location:code`, `cookie:prefix`, `field:name`
 * (of a page's form). Later steps write them as `${name}`.
 */
export type Save = Readonly<Record<string, string>>;

/** One request to the OAuth port, or to the control port with `control`. */
export interface HttpStep extends Named {
  /** Method and target. */
  readonly http?: string;
  readonly control?: string;
  /** `Name: value` each. The control token is sent unless an Authorization header is given. */
  readonly headers?: readonly string[];
  readonly body?: string;
  /** A body that is not UTF-8. */
  readonly body_base64?: string;
  /** Sent as JSON, with its content type. */
  readonly json?: unknown;
  readonly save?: Save;
  /** Compares only the length, for a body that is truncated within random text. */
  readonly only_length?: true;
  /** Creates no exchange, so the run does not wait for one. */
  readonly uncaptured?: true;
}

/** Any bytes over a raw connection. */
export interface BytesStep extends Named {
  readonly bytes: string;
  readonly encoding?: 'utf8' | 'base64';
  /** Disconnects after sending instead of waiting for a response. */
  readonly hang_up?: true;
}

/** Advances the machine clock by seconds. */
export interface MachineStep extends Named {
  readonly machine_seconds: number;
}

/** Restarts the sandbox with the same files. */
export interface RestartStep extends Named {
  readonly restart: true;
}

/** Reads a stored file. */
export interface FileStep extends Named {
  readonly file: 'workspace' | 'keep';
}

/** Reads the feed during a request until it contains the exchange. */
export interface FeedStep extends Named {
  readonly feed: string;
  readonly http: string;
}

export type Step = HttpStep | BytesStep | MachineStep | RestartStep | FileStep | FeedStep;

export interface Answer {
  /** 0 when the connection ended without a response. */
  readonly status: number;
  readonly headers?: Readonly<Record<string, string | readonly string[]>>;
  readonly json?: unknown;
  readonly text?: string;
  /** The forms, fields and links of a page, without its text. */
  readonly page?: readonly string[];
  readonly length?: number;
  /** The connection was closed before the body was complete. */
  readonly cut?: true;
}

/** The result of a step, without empty members. */
export interface Outcome {
  readonly answer?: Answer;
  /** JWTs that occur for the first time. */
  readonly jwts?: Readonly<Record<string, unknown>>;
  /** The control view of each exchange of the step. */
  readonly exchanges?: readonly Readonly<Record<string, unknown>>[];
  readonly file?: unknown;
  readonly feed?: unknown;
  /** Prose, compared by the phrases that must stay, or completely on request. */
  readonly says?: Readonly<Record<string, string>>;
}

export interface Session {
  readonly title: string;
  readonly sandbox: Sandbox;
  readonly steps: readonly Step[];
}

/** A session with its results. A new one is written without them, and then recorded. */
export interface RecordedSession {
  readonly title: string;
  readonly sandbox: Sandbox;
  readonly steps: readonly (Step & { readonly outcome: Outcome })[];
}
