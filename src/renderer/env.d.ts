interface Window {
  /** Provided by the preload script; absent in a browser tab. */
  readonly grantbench?: {
    readonly platform: string;
    /** Requests a new MessageChannel from the main process; the port arrives as a `message` event. */
    readonly connect: () => void;
  };
}

/** A Markdown document of the repository, as text. */
declare module '*.md?raw' {
  const text: string;
  export default text;
}
