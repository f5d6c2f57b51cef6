// What the members of a token say, in the words that the command line has too.

export {
  asText,
  type ClaimContext,
  explainClaims,
  explainHeader,
  type ExplainMember,
  type Life,
  lifeOf,
  timeInWords,
} from '../../control/reading/claims.ts';
