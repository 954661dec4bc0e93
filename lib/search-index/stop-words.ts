/**
 * English function words: they say how a sentence is built, not what it is about. Contractions stand here as the
 * tokeniser leaves them (`don` of `don't`).
 */
export const STOP_WORDS: ReadonlySet<string> = new Set(
  (
    'a about after again all also am an and any are aren as at be because been before being both but by can could ' +
    'couldn did didn do does doesn doing don down during each few for from further had hadn has hasn have haven ' +
    'having he her here hers herself him himself his how i if in into is isn it its itself just let me more most my ' +
    'myself no nor not now of off on once only or other our ours ourselves out over own same she should shouldn so ' +
    'some such than that the their theirs them themselves then there these they this those through to too under ' +
    'until up very was wasn we were weren what when where which while who whom whose why will with won would ' +
    'wouldn you your yours yourself yourselves'
  ).split(' '),
);
