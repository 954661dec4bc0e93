/**
 * How a fact came to be known: said so (`EXPLICIT`), concluded (`DEDUCTIVE`), generalised from repeated evidence
 * (`INDUCTIVE`), or a recorded conflict (`CONTRADICTION`). This library makes the first two; stores keep all four.
 */
export const OBSERVATION_TYPES = ['EXPLICIT', 'DEDUCTIVE', 'INDUCTIVE', 'CONTRADICTION'] as const;
/** How an observation is known; one of {@link OBSERVATION_TYPES}. Its base confidence is {@link baseConfidence}. */
export type ObservationType = (typeof OBSERVATION_TYPES)[number];

const BASE_CONFIDENCE: Readonly<Record<ObservationType, number>> = Object.freeze({
  EXPLICIT: 0.9,
  DEDUCTIVE: 0.6,
  INDUCTIVE: 0.4,
  CONTRADICTION: 0.3,
});

/**
 * The confidence that a type starts with, before corroboration and contradiction: 0.9 for `EXPLICIT`, 0.6 for `DEDUCTIVE`,
 * 0.4 for `INDUCTIVE`, 0.3 for `CONTRADICTION`.
 */
export function baseConfidence(type: ObservationType): number {
  return BASE_CONFIDENCE[type];
}

const PER_CORROBORATION = 0.05;
const MOST_FROM_CORROBORATION = 0.2;
const CONTRADICTION_PENALTY = 0.3;

/**
 * `clamp(0, 1, base + min(0.2, 0.05 × corroborations) − (contradicted ? 0.3 : 0))`, with `base` the type's own
 * ({@link baseConfidence}) or the one that a caller gave.
 */
export function confidenceOf(init: {
  readonly base: number;
  readonly corroborations: number;
  readonly contradicted: boolean;
}): number {
  const bonus = Math.min(MOST_FROM_CORROBORATION, PER_CORROBORATION * init.corroborations);
  const value = init.base + bonus - (init.contradicted ? CONTRADICTION_PENALTY : 0);
  // Rounded, since 0.9 + 0.05 + 0.05 is not 1 in binary and a reader would wonder.
  return Math.min(1, Math.max(0, Math.round(value * 1e6) / 1e6));
}

/**
 * The base that {@link confidenceOf} started from, read back from an observation: the type's own where that gives its
 * confidence, else what is left without corroboration and contradiction. Exact unless the confidence was clamped.
 */
export function baseOf(observation: {
  readonly type: ObservationType;
  readonly confidence: number;
  readonly corroborations: number;
  readonly contradicted: boolean;
}): number {
  const { type, confidence, corroborations, contradicted } = observation;
  const own = baseConfidence(type);
  if (confidenceOf({ base: own, corroborations, contradicted }) === confidence) return own;
  return (
    confidence -
    confidenceOf({ base: 0, corroborations, contradicted: false }) +
    (contradicted ? CONTRADICTION_PENALTY : 0)
  );
}
