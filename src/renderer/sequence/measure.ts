// Measures text with the page's own fonts, on a canvas that is never shown.

import type { Measure, TextStyle } from './layout.ts';

const MOST_CACHED = 5000;

function fontOf({ size, weight, face }: TextStyle): string {
  const family = getComputedStyle(document.documentElement).getPropertyValue(
    face === 'mono' ? '--mono' : '--font',
  );
  return `${weight} ${size}px ${family}`;
}

/** A measure for as long as the fonts stay as they are; make a new one when they have loaded. */
export function createMeasure(): Measure {
  const context = document.createElement('canvas').getContext('2d');
  const cache = new Map<string, number>();
  return (text, style) => {
    const key = `${style.size} ${style.weight} ${style.face} ${text}`;
    const known = cache.get(key);
    if (known !== undefined) return known;
    if (context === null) return text.length * style.size;
    context.font = fontOf(style);
    const { width } = context.measureText(text);
    if (cache.size >= MOST_CACHED) cache.clear();
    cache.set(key, width);
    return width;
  };
}
