// The parent's side of a service in a separate process.

import { fork } from 'node:child_process';
import { stop } from '../process.mjs';
import { profilingOptions } from '../profiling.mjs';

/** One order at a time: `ask('fill', 1000)`. */
export async function startService(entry, workspaceFile) {
  const execArgv = ['--expose-gc', ...profilingOptions('service')];
  const child = fork(entry, [workspaceFile], { execArgv });
  process.once('exit', () => child.kill());

  let waiting;
  const answer = () => new Promise((resolve, reject) => (waiting = { resolve, reject }));
  child.on('message', (message) =>
    message.error ? waiting.reject(new Error(message.error)) : waiting.resolve(message.answer),
  );
  child.once('exit', (code, signal) =>
    waiting.reject(new Error(`the service's process ended with ${code ?? signal}`)),
  );

  await answer();
  return {
    ask: (...order) => {
      child.send(order);
      return answer();
    },
    stop: () => stop(child),
  };
}
