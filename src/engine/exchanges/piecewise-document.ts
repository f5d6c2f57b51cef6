// A document with a long list in it, made while it is sent: its list may be as large as all that is kept,
// and its text larger than any string. Transports that can, send it piece by piece; the others take the
// whole. It knows nothing of what is in the list.

import type { TakeTurn } from './turns.ts';

/** A stretch of work goes on until a piece is as long as this, or for so long. */
const PIECE_LENGTH = 65_536;
const STRETCH_MS = 10;

export interface DocumentParts<Item, Document> {
  /** The document around its list, which is its last member. */
  readonly around: (items: Item[]) => Document;
  /** Makes one item at each step. */
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
   * This in place of the document, as a handler answers it. Each transport puts the document in its
   * place: as `pieces`, or as the `whole`.
   */
  asDocument(): Document {
    return this as unknown as Document;
  }

  /** The document as JSON. @throws what making an item throws, after it was reported */
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

/** The answer of an operation, made whole. */
export function wholeOf<T>(answer: T): T | Promise<T> {
  return answer instanceof PiecewiseDocument ? (answer.whole() as Promise<T>) : answer;
}
