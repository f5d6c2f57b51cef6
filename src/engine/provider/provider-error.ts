// Why a real provider, or a sample of its tokens, was not read: the URL or the file, and the rule that it broke.

export class ProviderError extends Error {
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
    this.name = 'ProviderError';
    this.url = url;
    this.status = status;
  }
}
