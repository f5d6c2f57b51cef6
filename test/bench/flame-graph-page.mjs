// The script of a flame graph's page.

import flamegraph from 'd3-flame-graph';
import { select } from 'd3-selection';

const element = (id) => document.getElementById(id);

const calls = JSON.parse(element('calls').textContent);

const describe = ({ data, value }) => `${data.name}: ${value.toFixed(1)} ms`;

const chart = flamegraph()
  .selfValue(true)
  .inverted(true)
  .width(element('graph').clientWidth)
  .minFrameSize(1)
  .label(describe)
  .setDetailsElement(element('details'));

select(element('graph')).datum(calls).call(chart);
