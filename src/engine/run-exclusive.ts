// Steps that must not overlap: each begins when the one before is over, whether that failed or not.

export type RunExclusive = <T>(step: () => Promise<T>) => Promise<T>;

export function createRunExclusive(): RunExclusive {
  let turn: Promise<unknown> = Promise.resolve();
  return (step) => {
    const done = turn.then(step);
    turn = done.catch(() => undefined);
    return done;
  };
}
