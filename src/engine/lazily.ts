// Loads something heavy when it is first asked for.

export interface Lazy<T> {
  /** The same one each time; a failure may be tried again. */
  (): Promise<T>;
  /** Whether it was asked for already. */
  wanted(): boolean;
}

export function lazily<T>(load: () => Promise<T>): Lazy<T> {
  let loaded: Promise<T> | null = null;
  const get = () => {
    loaded ??= load().catch((error: unknown) => {
      loaded = null;
      throw error;
    });
    return loaded;
  };
  return Object.assign(get, { wanted: () => loaded !== null });
}
