import { usePage } from '../../../connection/state.ts';
import { startFrom } from '../request-actions.ts';
import { useRequests } from '../requests-store.ts';
import { templatesFor } from '../templates.ts';
import classes from './Start.module.css';

const GROUPS = ['Token endpoint', 'Endpoints', 'Documents'] as const;

/** One request for each endpoint, put together for the client at hand. */
export function TemplateList() {
  const settings = usePage((state) => state.settings);
  const current = useRequests(({ saved_as, draft }) => (saved_as === null ? draft.template : null));
  const templates = templatesFor(settings);
  return GROUPS.map((group) => (
    <div key={group}>
      <h2 className={classes.head}>{group}</h2>
      <ul className={classes.list} aria-label={group}>
        {templates
          .filter((template) => template.group === group)
          .map(({ id, title }) => (
            <li key={id}>
              <button
                type="button"
                className={classes.item}
                aria-current={id === current || undefined}
                onClick={() => void startFrom(id)}
              >
                {title}
              </button>
            </li>
          ))}
      </ul>
    </div>
  ));
}
