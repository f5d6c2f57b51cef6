// What is wrong with a token, as the command line tells it too.

export { type Finding, findingsOn } from '../../control/reading/findings.ts';
