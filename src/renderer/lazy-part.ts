// Parts of the page that are loaded when they are first shown.

import { lazy, type ComponentType, type LazyExoticComponent } from 'react';

/** Loads code that may bring zod's schemas: its mode is set before the first of them is made. */
export async function withSchemas<T>(load: () => Promise<T>): Promise<T> {
  await import('./jitless.ts');
  return load();
}

export const lazyPart = <P>(
  load: () => Promise<ComponentType<P>>,
): LazyExoticComponent<ComponentType<P>> =>
  lazy(async () => ({ default: await withSchemas(load) }));
