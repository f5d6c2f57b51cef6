// The results as a standalone report for a reader without the sandbox: the faults with what to do, then every case.

import { control } from '../../connection/control.ts';
import { attempt } from '../../actions/sandbox.ts';
import { Facts } from '../../ui/Facts.tsx';
import { dateAndTime, ReportPage, type ReportFacts } from '../../report/Report.tsx';
import { saveReport, withSandbox } from '../../report/save-report.ts';
import { Heads } from '../../ui/grid/GridTable.tsx';
import { StatusTag } from '../../ui/status.tsx';
import {
  chosenClient,
  type CheckedCase,
  expectedInWords,
  resultLabel,
  totalsInWords,
} from './check.ts';

interface CheckReportProps {
  readonly facts: ReportFacts;
  readonly cases: readonly CheckedCase[];
}

function Label({ found }: Pick<CheckedCase, 'found'>) {
  if (found === null) return <StatusTag tone="muted">not run</StatusTag>;
  const { tone, words } = resultLabel(found);
  return <StatusTag tone={tone}>{words}</StatusTag>;
}

function Fault({ one }: { readonly one: CheckedCase }) {
  return (
    <article aria-labelledby={one.id}>
      <header>
        <h3 id={one.id}>{one.title}</h3>
        <Label found={one.found} />
        <span className="muted">{`${one.level} · ${one.section}`}</span>
      </header>
      <p>{one.text}</p>
      <p>{`A correct app ${expectedInWords(one)}. ${one.found?.why ?? ''}`}</p>
      <p>{one.advice}</p>
      {one.libraries.length > 0 && (
        <Facts
          className="facts"
          facts={one.libraries.map(({ library, text }) => [library, text] as const)}
        />
      )}
    </article>
  );
}

const ABOUT =
  'In each case, the authorization server did one thing wrong, or something unusual but correct, during a login of the app.';

function CheckReport({ facts, cases }: CheckReportProps) {
  const faults = cases.filter(({ found }) => found?.fault === true);
  return (
    <ReportPage facts={facts} about={ABOUT}>
      <section aria-labelledby="faults">
        <h2 id="faults">Faults of the app</h2>
        {faults.length === 0 && <p>None of the cases that were run has shown a fault.</p>}
        {faults.map((one) => (
          <Fault key={one.id} one={one} />
        ))}
      </section>
      <section aria-labelledby="cases">
        <h2 id="cases">Cases</h2>
        <table>
          <Heads names={['Case', 'A correct app', 'Result', 'Why', 'Checked (UTC)']} />
          <tbody>
            {cases.map((one) => (
              <tr key={one.id}>
                <th scope="row">
                  {one.title}
                  <div className="muted">{`${one.id} · ${one.section}`}</div>
                </th>
                <td>{expectedInWords(one)}</td>
                <td>
                  <Label found={one.found} />
                </td>
                <td>{one.found?.why}</td>
                <td>{one.found === null ? '' : dateAndTime(one.found.ended_at)}</td>
              </tr>
            ))}
          </tbody>
        </table>
      </section>
    </ReportPage>
  );
}

export const saveCheckReport = (cases: readonly CheckedCase[]): Promise<boolean> =>
  attempt('The report was not saved.', async () => {
    const client_id = chosenClient();
    const facts = {
      title: `Client check${client_id === null ? '' : `: ${client_id}`}`,
      made_at: (await control.clock.get()).now,
      result: [totalsInWords(cases)],
      facts: withSandbox([['Client', client_id ?? 'any']]),
    };
    saveReport(facts, 'check', <CheckReport facts={facts} cases={cases} />);
  });
