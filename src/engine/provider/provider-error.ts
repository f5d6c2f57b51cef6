// The error if a provider or a sample token cannot be read: names the URL or the file, and the broken rule.

interface Details extends ErrorOptions {
  /** The status of the response, if that is the reason. */
  readonly status?: number;
  /** How to allow it on the command line; follows the rule in the message. */
  readonly flag?: string;
  /** A private, link-local or loopback address that the user may allow. */
  readonly address?: string;
}

export class ProviderError extends Error {
  readonly url: string;
  /** The status of the response, if that is the reason; null otherwise. */
  readonly status: number | null;
  /** The message without command line flags. */
  readonly plain: string;
  /** The address that the user may allow; null if that is not the reason. */
  readonly address: string | null;

  /** @param rule a phrase that follows the URL: "redirects …" */
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
