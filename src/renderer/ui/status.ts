// What an HTTP status means to the page. A fault may leave a request without an answer (behaviour 8):
// its exchange has status 0, which is no success.

/** Whether there is a response, and it is not an error. */
export const wentWell = (status: number): boolean => status > 0 && status < 400;

/** The tone of a status; 429 is a warning. */
export function toneOf(status: number): 'ok' | 'warn' | 'bad' {
  if (status === 429) return 'warn';
  return wentWell(status) ? 'ok' : 'bad';
}

/** `200`, or `no response`. */
export const statusWords = (status: number): string =>
  status === 0 ? 'no response' : String(status);
