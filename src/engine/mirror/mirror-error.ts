// What ends a mirror: the URL, and the rule that it or what it answered broke.

export class MirrorError extends Error {
  readonly url: string;
  /** Of the response, where that is the reason; null otherwise. */
  readonly status: number | null;

  /** @param rule in words that follow the URL: "redirects …" */
  constructor(
    url: string,
    rule: string,
    options: ErrorOptions & { readonly status?: number } = {},
  ) {
    const { status = null, ...rest } = options;
    super(`${url} ${rule}.`, rest);
    this.name = 'MirrorError';
    this.url = url;
    this.status = status;
  }
}
