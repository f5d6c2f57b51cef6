// Re-exports zod for layers that may import control but not core.

export { z } from '../core/records/zod.ts';
