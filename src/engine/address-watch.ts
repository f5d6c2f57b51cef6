// Tells when the service is reached elsewhere than before: it listens on another port, or has another issuer.

export interface AddressWatch {
  /** Calls the listeners if the address is another one. */
  readonly check: () => void;
  /** @returns ends it */
  readonly onChange: (listener: () => void) => () => void;
}

/** @param address where the service is reached now, as one text */
export function createAddressWatch(address: () => string): AddressWatch {
  const listeners = new Set<() => void>();
  let known: string | null = null;
  return {
    check: () => {
      const now = address();
      if (now === known) return;
      known = now;
      for (const listener of listeners) listener();
    },
    onChange: (listener) => {
      listeners.add(listener);
      return () => void listeners.delete(listener);
    },
  };
}
