// har-validator has no types. It resolves for valid data and rejects with the problems.

declare module 'har-validator' {
  export function har(data: unknown): Promise<unknown>;
}
