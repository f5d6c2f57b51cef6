// Answers of operations as HTTP responses: JSON at once, a long document piece by piece, the feed as
// server-sent events. What is not read is not made: the next piece waits for the one before.

import type { ServerResponse } from 'node:http';
import { SharedBatch } from '../feed/batch.ts';
import { PiecewiseDocument } from '../exchanges/piecewise-document.ts';
import { endIfStalled, SAFE_HEADERS, sendBody } from './answers.ts';

/** What an operation answered, as oRPC has it. */
interface Answer {
  readonly status: number;
  readonly body: unknown;
}

/** A comment this often tells proxies, and those who went away unnoticed, that the stream is alive. */
const KEEP_ALIVE_MS = 5000;
const COMMENT = ': \n\n';

/** Resolves when the text is on its way, or never will be. */
const written = (response: ServerResponse, text: string) =>
  new Promise<void>((resolve) => {
    if (response.destroyed) return resolve();
    const done = () => {
      response.off('close', done);
      resolve();
    };
    response.once('close', done);
    response.write(text, done);
  });

function begin(response: ServerResponse, status: number, type: string): void {
  endIfStalled(response);
  const headers = { ...SAFE_HEADERS, 'Cache-Control': 'no-store', 'Content-Type': type };
  response.writeHead(status, headers);
}

async function sendPieces(response: ServerResponse, pieces: AsyncIterable<string>): Promise<void> {
  for await (const piece of pieces) {
    await written(response, piece);
    if (response.destroyed) return;
  }
  if (!response.destroyed) response.end();
}

const textOf = (batch: unknown) =>
  batch instanceof SharedBatch ? batch.text : JSON.stringify(batch);

async function sendEvents(response: ServerResponse, events: AsyncIterable<unknown>) {
  response.write(COMMENT);
  const alive = setInterval(() => {
    if (response.writableLength === 0 && !response.destroyed) response.write(COMMENT);
  }, KEEP_ALIVE_MS).unref();
  try {
    for await (const event of events) {
      await written(response, `event: message\ndata: ${textOf(event)}\n\n`);
    }
  } finally {
    clearInterval(alive);
  }
  if (!response.destroyed) response.end();
}

const isStream = (body: unknown): body is AsyncIterable<unknown> =>
  typeof body === 'object' && body !== null && Symbol.asyncIterator in body;

export async function sendAnswer(
  response: ServerResponse,
  { status, body }: Answer,
): Promise<void> {
  if (body === undefined) {
    response.writeHead(status, { ...SAFE_HEADERS, 'Cache-Control': 'no-store' });
    response.end();
  } else if (body instanceof PiecewiseDocument) {
    begin(response, status, 'application/json');
    await sendPieces(response, body.pieces());
  } else if (isStream(body)) {
    begin(response, status, 'text/event-stream');
    await sendEvents(response, body);
  } else {
    sendBody(response, status, 'application/json', JSON.stringify(body));
  }
}
