// The step of action.yml at the end of the job: ends the sandbox that start.mjs started.

const pid = Number(process.env['STATE_pid'] ?? '0');

try {
  if (pid > 0) process.kill(pid, 'SIGTERM');
} catch (error) {
  if (/** @type {NodeJS.ErrnoException} */ (error).code !== 'ESRCH') throw error;
  console.log('::warning title=Grantbench::The sandbox had ended before the job did.');
}
