import { IconAlertTriangle, IconBolt, IconGauge, IconRepeat } from '@tabler/icons-react';
import type { ExchangeSummary } from '../../../control/schemas.ts';
import { MARK_WORDS, marksOf, markSentence, type Mark } from './marks.ts';
import classes from './Table.module.css';

const ICONS: Record<Mark, typeof IconBolt> = {
  throttled: IconGauge,
  fault: IconBolt,
  deviation: IconAlertTriangle,
  over_fetch: IconRepeat,
};

/** An icon for each mark, and a word where there is one alone; tooltips and labels say what they mean. */
export function Marks({ exchange }: { readonly exchange: ExchangeSummary }) {
  const marks = marksOf(exchange);
  return marks.map((mark) => {
    const Icon = ICONS[mark];
    const sentence = markSentence(mark, exchange);
    return (
      <span key={mark} className={classes.mark} data-mark={mark} title={sentence}>
        <Icon aria-hidden="true" />
        {marks.length === 1 && (
          <span className={classes.word} aria-hidden="true">
            {MARK_WORDS[mark]}
          </span>
        )}
        <span className="visually-hidden">{sentence}. </span>
      </span>
    );
  });
}
