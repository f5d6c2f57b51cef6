/** Opens the palette, as soon as its code is loaded: a key pressed early is not lost. */
export async function openPalette(): Promise<void> {
  const { spotlight } = await import('@mantine/spotlight');
  spotlight.open();
}
