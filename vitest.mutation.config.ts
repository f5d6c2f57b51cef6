// The tests as the mutation tests run them: all files of a run in one worker, as starting one takes longer
// than most tests do, and there are thousands of runs.

import { defineConfig, mergeConfig } from 'vitest/config';
import usual from './vitest.config.ts';

export default mergeConfig(usual, defineConfig({ test: { isolate: false } }));
