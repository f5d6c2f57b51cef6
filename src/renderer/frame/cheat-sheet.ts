// Whether the list of shortcuts is open; shown by CheatSheet.

import { createStore } from 'zustand/vanilla';

export const cheatSheet = createStore<{ readonly opened: boolean }>(() => ({ opened: false }));

export const showCheatSheet = (): void => cheatSheet.setState({ opened: true });
export const hideCheatSheet = (): void => cheatSheet.setState({ opened: false });
