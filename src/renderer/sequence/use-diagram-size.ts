import { useElementSize } from '@mantine/hooks';
import { useEffect, useState } from 'react';
import type { Measure } from './layout.ts';
import { createMeasure } from './measure.ts';

/** The width there is for the diagram, and a measure that is renewed once the fonts are there. */
export function useDiagramSize() {
  const { ref, width } = useElementSize();
  const [measure, setMeasure] = useState<Measure>(() => createMeasure());
  useEffect(() => {
    let gone = false;
    void document.fonts.ready.then(() => {
      if (!gone) setMeasure(() => createMeasure());
    });
    return () => {
      gone = true;
    };
  }, []);
  return { ref, width, measure };
}
