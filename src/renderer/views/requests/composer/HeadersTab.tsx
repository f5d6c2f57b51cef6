import { withHeaders } from '../draft.ts';
import { problemsOf } from '../request-text.ts';
import { editDraft, useRequests } from '../requests-store.ts';
import classes from './Composer.module.css';
import { FieldRows } from './FieldRows.tsx';

/** The headers, as they go out. */
export function HeadersTab() {
  const draft = useRequests((state) => state.draft);
  const problems = problemsOf(draft);
  return (
    <>
      <FieldRows
        rows={draft.headers}
        kind="header"
        problemAt={(index) => problems[`headers.${index}`]}
        onChange={(rows) => editDraft((former) => withHeaders(former, rows))}
      />
      <p className={classes.remark}>
        Grantbench sets Host, Content-Length and Connection. You can override Host here.
      </p>
    </>
  );
}
