import { usePage } from '../../state.ts';
import { CopyButton } from '../../ui/CopyButton.tsx';
import { StatusTag } from '../../ui/StatusTag.tsx';
import table from '../../ui/table.module.css';
import section from './Section.module.css';
import { Section } from './Section.tsx';

export function KeysSection() {
  const keys = usePage((state) => state.keys);
  return (
    <Section
      title="Signing keys"
      about="What tokens are signed with. The public parts stand in the JWKS, where apps fetch them."
    >
      {keys.length === 0 ? (
        <p className={section.empty}>No key has been made yet. The first token makes one.</p>
      ) : (
        <table className={table.table}>
          <thead>
            <tr>
              <th scope="col">kid</th>
              <th scope="col">Algorithm</th>
              <th scope="col">State</th>
              <th scope="col">
                <span className="visually-hidden">Actions</span>
              </th>
            </tr>
          </thead>
          <tbody>
            {keys.map((key) => (
              <tr key={key.kid}>
                <td className={table.cut}>
                  <code title={key.kid}>{key.kid}</code>
                </td>
                <td>{key.alg}</td>
                <td>
                  <StatusTag tone={key.signing ? 'ok' : 'muted'}>
                    {key.signing ? 'signing' : key.published ? 'published' : 'not published'}
                  </StatusTag>
                </td>
                <td>
                  <span className={table.actions}>
                    {key.public_jwk !== null && (
                      <CopyButton
                        value={JSON.stringify(key.public_jwk, null, 2)}
                        label={`Copy public JWK of ${key.kid}`}
                        text="Copy public JWK"
                      />
                    )}
                  </span>
                </td>
              </tr>
            ))}
          </tbody>
        </table>
      )}
    </Section>
  );
}
