// What a corpus file holds: a session, which is a sandbox and the steps done in it, each step with
// its result. Plain JSON, so that nothing recorded moves with the code; nothing of src is known here.

/** What a sandbox is started with. */
export interface Sandbox {
  /** The workspace file; `keys` names those of corpus/keys.json. */
  readonly workspace?: Readonly<Record<string, unknown>>;
  readonly keys?: readonly string[];
  /** Fixes the issuer for the run, as a command line option does. */
  readonly issuer?: string;
  readonly https?: true;
  /** Saves the workspace to its file. */
  readonly save?: true;
  /** Keeps signing keys, epochs and denials in a file. */
  readonly keep?: true;
  /** Starts from a document that a session of an earlier build left behind. */
  readonly found?: string;
  /** Leaves its files and variables behind as this document. */
  readonly leaves?: string;
}

interface Named {
  /** Says what is done, and is named when a replay differs. */
  readonly name: string;
}

/**
 * Variables taken from an answer, by source: `json:a.b`, `location:code`, `cookie:prefix`, `field:name`
 * (of a page's form). Later steps write them as `${name}`.
 */
export type Save = Readonly<Record<string, string>>;

/** One request to the OAuth port, or with `control` to the control port. */
export interface HttpStep extends Named {
  /** Method and target. */
  readonly http?: string;
  readonly control?: string;
  /** `Name: value` each. The control token is sent unless another Authorization is. */
  readonly headers?: readonly string[];
  readonly body?: string;
  /** A body that is not UTF-8. */
  readonly body_base64?: string;
  /** Sent as JSON, with its content type. */
  readonly json?: unknown;
  readonly save?: Save;
  /** Of a body that ends in the middle of something random only the length is compared. */
  readonly only_length?: true;
  /** Makes no exchange, so that none is waited for. */
  readonly uncaptured?: true;
}

/** Bytes over a bare connection, whatever they are. */
export interface BytesStep extends Named {
  readonly bytes: string;
  readonly encoding?: 'utf8' | 'base64';
  /** Hangs up after sending instead of waiting for an answer. */
  readonly hang_up?: true;
}

/** Moves the clock of the machine by seconds. */
export interface MachineStep extends Named {
  readonly machine_seconds: number;
}

/** Ends the process as it were, and starts another with the same files. */
export interface RestartStep extends Named {
  readonly restart: true;
}

/** Reads a stored file. */
export interface FileStep extends Named {
  readonly file: 'workspace' | 'keep';
}

/** Listens to the feed while a request is made, until the feed tells of its exchange. */
export interface FeedStep extends Named {
  readonly feed: string;
  readonly http: string;
}

export type Step = HttpStep | BytesStep | MachineStep | RestartStep | FileStep | FeedStep;

export interface Answer {
  /** 0 when the connection ended without an answer. */
  readonly status: number;
  readonly headers?: Readonly<Record<string, string | readonly string[]>>;
  readonly json?: unknown;
  readonly text?: string;
  /** Of a page: its forms, fields and links, without the words around them. */
  readonly page?: readonly string[];
  readonly length?: number;
  /** The connection was closed before the body was complete. */
  readonly cut?: true;
}

/** The result of a step, without empty members. */
export interface Outcome {
  readonly answer?: Answer;
  /** JWTs seen for the first time. */
  readonly jwts?: Readonly<Record<string, unknown>>;
  /** The control view of each exchange that the step made. */
  readonly exchanges?: readonly Readonly<Record<string, unknown>>[];
  readonly file?: unknown;
  readonly feed?: unknown;
  /** Prose: held to the phrases that must stay, or on request to every word. */
  readonly says?: Readonly<Record<string, string>>;
}

export interface Session {
  readonly title: string;
  readonly sandbox: Sandbox;
  readonly steps: readonly Step[];
}

export interface RecordedSession {
  readonly title: string;
  readonly sandbox: Sandbox;
  readonly steps: readonly (Step & { readonly outcome: Outcome })[];
}
