import { withQuery } from '../draft.ts';
import { editDraft, useRequests } from '../requests-store.ts';
import classes from './Composer.module.css';
import { FieldRows } from './FieldRows.tsx';

/** The query of the path, as fields. */
export function QueryTab() {
  const query = useRequests((state) => state.draft.query);
  if (query === null) {
    return (
      <p className={classes.remark} data-warn>
        The query cannot be shown as fields: it contains an invalid percent escape. It is sent as
        is; edit it in the path.
      </p>
    );
  }
  return (
    <FieldRows
      rows={query}
      kind="parameter"
      onChange={(rows) => editDraft((draft) => withQuery(draft, rows))}
    />
  );
}
