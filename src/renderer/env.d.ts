interface Window {
  /** Handed over by the preload; absent in a browser tab. */
  readonly grantbench?: {
    readonly platform: string;
    /** Asks main for a fresh MessageChannel; the port arrives as a `message` event. */
    readonly connect: () => void;
  };
}

/** A document of the repository, as text. */
declare module '*.md?raw' {
  const text: string;
  export default text;
}
