import { useState } from 'react';
import { moveServer } from '../../actions/listening.ts';
import { problemOf } from '../../connection/control.ts';
import { obstacleTo } from '../../connection/reach.ts';
import { problemSentence } from '../../ui/problems.ts';

interface Move {
  readonly busy: boolean;
  /** Why the server could not be moved, or what is wrong with what was typed. */
  readonly problem: string | null;
  readonly setProblem: (problem: string | null) => void;
  /** Answers whether it was moved. */
  readonly move: (change: Parameters<typeof moveServer>[0]) => Promise<boolean>;
}

/** Moves the server, and keeps what keeps it from moving. */
export function useMove(): Move {
  const [busy, setBusy] = useState(false);
  const [problem, setProblem] = useState<string | null>(null);
  const move: Move['move'] = async (change) => {
    if (busy || obstacleTo('connection') !== null) return false;
    setBusy(true);
    setProblem(null);
    try {
      return await moveServer(change);
    } catch (error) {
      setProblem(problemSentence(problemOf(error)));
      return false;
    } finally {
      setBusy(false);
    }
  };
  return { busy, problem, setProblem, move };
}
