import { HistoryList } from './HistoryList.tsx';
import { TemplateList } from './TemplateList.tsx';
import classes from './Start.module.css';

/** What a request can be started from: an endpoint, or one that was sent before. */
export function StartPane() {
  return (
    <div className={classes.pane}>
      <TemplateList />
      <HistoryList />
    </div>
  );
}
