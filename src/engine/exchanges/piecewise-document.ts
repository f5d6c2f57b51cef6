// A document with a long list that is generated while it is sent, because its text may be larger than the maximum
// length of a string. Transports send it in pieces if they can, or as a whole. It knows nothing of the content of the
// list.

import type { TakeTurn } from './turns.ts';

/** Each turn makes a piece of this length, or works for this time. */
const PIECE_LENGTH = 65_536;
const STRETCH_MS = 10;

export interface DocumentParts<Item, Document> {
  /** The document without its list, which is the last member. */
  readonly around: (items: Item[]) => Document;
  /** Generates one item per step. */
  readonly items: () => Iterable<Item>;
  readonly takeTurn: TakeTurn;
  readonly onFault: (fault: unknown) => void;
}

export class PiecewiseDocument<Item, Document> {
  readonly #parts: DocumentParts<Item, Document>;

  constructor(parts: DocumentParts<Item, Document>) {
    this.#parts = parts;
  }

  /**
   * A handler returns this placeholder. Each transport replaces it with the document, as `pieces` or as the `whole`.
   */
  asDocument(): Document {
    return this as unknown as Document;
  }

  /** Generates the document as JSON. @throws errors of making an item, after they were reported */
  async *pieces(): AsyncGenerator<string, void, void> {
    const { around, items, takeTurn, onFault } = this.#parts;
    const frame = JSON.stringify(around([]));
    const middle = frame.lastIndexOf('[]') + 1;
    let piece = frame.slice(0, middle);
    let comma = '';
    await takeTurn();
    let since = performance.now();
    try {
      for (const item of items()) {
        piece += comma + JSON.stringify(item);
        comma = ',';
        if (piece.length < PIECE_LENGTH && performance.now() - since < STRETCH_MS) continue;
        yield piece;
        piece = '';
        await takeTurn();
        since = performance.now();
      }
    } catch (error) {
      onFault(error);
      throw error;
    }
    yield piece + frame.slice(middle);
  }

  async whole(): Promise<Document> {
    const { around, items, takeTurn } = this.#parts;
    const made: Item[] = [];
    let since = performance.now();
    for (const item of items()) {
      made.push(item);
      if (performance.now() - since < STRETCH_MS) continue;
      await takeTurn();
      since = performance.now();
    }
    return around(made);
  }
}

/** Returns the complete response of an operation. */
export function wholeOf<T>(answer: T): T | Promise<T> {
  return answer instanceof PiecewiseDocument ? (answer.whole() as Promise<T>) : answer;
}
