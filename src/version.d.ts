/** The version in package.json, written in by the build and by vitest. */
declare const __APP_VERSION__: string;
