// Whether a provider is being mirrored; shown by MirrorDialog.

import { createStore } from 'zustand/vanilla';

export const mirrorDialog = createStore<{ readonly opened: boolean }>(() => ({ opened: false }));

export const showMirror = (): void => mirrorDialog.setState({ opened: true });
export const hideMirror = (): void => mirrorDialog.setState({ opened: false });
