/** Where a rule moves in the order in which rules are tried. */
export type Direction = 'up' | 'down';
