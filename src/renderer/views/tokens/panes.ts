// The items of the route under which a pane is open instead of a credential.

export const PASTE = 'paste:';
export const BUILD = 'build:';

export const isPane = (item: string | null): boolean => item === PASTE || item === BUILD;
