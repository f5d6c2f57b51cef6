import { useEffect, useState } from 'react';
import { bringIn } from '../actions/workspace.ts';
import classes from './DropTarget.module.css';

async function take(file: File): Promise<void> {
  const { openIfComparison } = await import('../views/flow/exports.ts');
  if (!(await openIfComparison(file))) await bringIn(file);
}

const holdsFiles = (event: DragEvent) => event.dataTransfer?.types.includes('Files') === true;

/** Takes a workspace or a comparison that is dropped anywhere on the page; says so while one is held over it. */
export function DropTarget() {
  const [over, setOver] = useState(false);
  useEffect(() => {
    const hold = (event: DragEvent) => {
      if (!holdsFiles(event)) return;
      event.preventDefault();
      setOver(true);
    };
    const leave = (event: DragEvent) => {
      if (event.relatedTarget === null) setOver(false);
    };
    const drop = (event: DragEvent) => {
      setOver(false);
      if (!holdsFiles(event) || event.defaultPrevented) return;
      event.preventDefault();
      const file = event.dataTransfer?.files[0];
      if (file !== undefined) void take(file);
    };
    addEventListener('dragover', hold);
    addEventListener('dragleave', leave);
    addEventListener('drop', drop);
    return () => {
      removeEventListener('dragover', hold);
      removeEventListener('dragleave', leave);
      removeEventListener('drop', drop);
    };
  }, []);
  return over ? <p className={classes.hint}>Drop a workspace or a comparison to open it</p> : null;
}
