/** How a state is coloured; a word or an icon always stands beside the colour. */
export type Tone = 'ok' | 'warn' | 'bad' | 'info' | 'muted';
