// har-validator brings no types. It resolves when the data is valid and rejects with what is wrong.

declare module 'har-validator' {
  export function har(data: unknown): Promise<unknown>;
}
