import { codeOf } from './errors.ts';

/** Whether a process runs, of this user or of another one. */
export function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return codeOf(error) === 'EPERM';
  }
}
