/** Opens the palette, at once or when its code has come: a key pressed early is not lost. */
export const openPalette = async (): Promise<void> =>
  (await import('./palette-store.ts')).openPalette();
