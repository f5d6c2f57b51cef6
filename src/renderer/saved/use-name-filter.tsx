import { useState, type ReactNode } from 'react';
import { FilterField, NoMatch } from '../ui/grid/FilterField.tsx';

/** Fewer are in view at once. */
const FEW = 8;

/** A list by name, with a filter where there are many: every word must be in the name. */
export function useNameFilter<T extends { readonly name: string }>(
  all: readonly T[],
  what: string,
): { readonly shown: readonly T[]; readonly field: ReactNode } {
  const [text, setText] = useState('');
  if (all.length <= FEW) return { shown: all, field: null };
  const words = text.toLowerCase().split(/\s+/).filter(Boolean);
  const shown = all.filter(({ name }) => words.every((word) => name.toLowerCase().includes(word)));
  const none = shown.length === 0 && <NoMatch what={what} text={text} />;
  const field = (
    <>
      <FilterField what={what} text={text} onText={setText} />
      {none}
    </>
  );
  return { shown, field };
}
