import { HistoryList } from './HistoryList.tsx';
import { SavedRequests } from './SavedRequests.tsx';
import { TemplateList } from './TemplateList.tsx';
import classes from './Start.module.css';

/** What a request can be started from: one that was saved, an endpoint, or one that was sent before. */
export function StartPane() {
  return (
    <div className={classes.pane}>
      <SavedRequests />
      <TemplateList />
      <HistoryList />
    </div>
  );
}
