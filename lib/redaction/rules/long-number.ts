/**
 * What is in the numbers of persons, and of cards in groups or not, and in no date or time. Shared by their rules; cheap,
 * since it is sought in every text.
 */
export const LONG_NUMBER = /(?:\d{3}[ -]{0,3}\d{2}[ -]?\d[ -]{0,3}\d{3}|\d{4}[ -]\d{4})[\d -]{0,1024}/g;
