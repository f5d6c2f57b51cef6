import { StatusTag } from '../../../ui/StatusTag.tsx';
import { answerInWords } from '../mistakes/answers.ts';
import type { Verdict } from '../mistakes/verdict.ts';

export interface NumberedVerdict {
  /** Of the message. */
  readonly number: number;
  readonly verdict: Verdict;
}

function VerdictRow({ number, verdict: { title, expected, got, came } }: NumberedVerdict) {
  return (
    <tr>
      <td>
        <a href={`#m${number}`}>{number}</a>
      </td>
      <td>{title}</td>
      <td className="mono">{answerInWords(expected)}</td>
      <td>{expected.section}</td>
      <td className="mono">{answerInWords(got)}</td>
      <td>
        <StatusTag tone={came ? 'ok' : 'bad'}>{came ? 'pass' : 'fail'}</StatusTag>
      </td>
    </tr>
  );
}

/** The deliberate mistakes, and whether each was answered as expected. */
export function ReportVerdicts({ verdicts }: { readonly verdicts: readonly NumberedVerdict[] }) {
  if (verdicts.length === 0) return null;
  const passed = verdicts.filter(({ verdict }) => verdict.came).length;
  return (
    <section aria-labelledby="verdicts">
      <h2 id="verdicts">
        {`Deliberate mistakes: ${passed} of ${verdicts.length} answered as expected`}
      </h2>
      <table>
        <thead>
          <tr>
            <th scope="col">No.</th>
            <th scope="col">Mistake</th>
            <th scope="col">Expected</th>
            <th scope="col">Reference</th>
            <th scope="col">Actual</th>
            <th scope="col">Verdict</th>
          </tr>
        </thead>
        <tbody>
          {verdicts.map((one) => (
            <VerdictRow key={one.number} {...one} />
          ))}
        </tbody>
      </table>
    </section>
  );
}
