interface Window {
  /** Provided by the preload script; absent in a browser tab. */
  readonly grantbench?: { readonly platform: string };
}

/** A Markdown document of the repository, as text. */
declare module '*.md?raw' {
  const text: string;
  export default text;
}
