// Why a real provider, or a sample of its tokens, was not read: the URL or the file, and the rule that it broke.

interface Details extends ErrorOptions {
  /** Of the response, where that is the reason. */
  readonly status?: number;
  /** A flag of the command line that allows it, in words that follow the rule. */
  readonly flag?: string;
  /** A private, link-local or loopback address that a person may allow. */
  readonly address?: string;
}

export class ProviderError extends Error {
  readonly url: string;
  /** Of the response, where that is the reason; null otherwise. */
  readonly status: number | null;
  /** The message without flags of the command line. */
  readonly plain: string;
  /** The address that a person may allow; null where that is not the reason. */
  readonly address: string | null;

  /** @param rule in words that follow the URL: "redirects …" */
  constructor(url: string, rule: string, options: Details = {}) {
    const { status = null, flag, address = null, ...rest } = options;
    super(flag === undefined ? `${url} ${rule}.` : `${url} ${rule}; ${flag}.`, rest);
    this.name = 'ProviderError';
    this.url = url;
    this.status = status;
    this.plain = `${url} ${rule}.`;
    this.address = address;
  }
}
