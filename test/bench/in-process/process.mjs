// The parent's end of a service in a process of its own.

import { fork } from 'node:child_process';

/** One order at a time: `ask('fill', 1000)`. */
export async function startService(entry, workspaceFile) {
  const child = fork(entry, [workspaceFile], { execArgv: ['--expose-gc'] });
  const stop = () => child.kill();
  process.once('exit', stop);

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
    stop,
  };
}
