import { patternRule, SPECIFICITY, type RedactionRule } from '../redaction-rule.js';

// The units of systemd are written like addresses, and so are files by their endings.
const NOT_A_DOMAIN =
  /\.(?:service|socket|timer|target|mount|scope|slice|path|device|png|jpe?g|gif|svg|webp|js|mjs|ts|css|map)$/i;

/** Addresses of e-mail, also with the at sign encoded. */
export const emails: readonly RedactionRule[] = [
  patternRule({
    name: 'email',
    category: 'EMAIL',
    specificity: SPECIFICITY.CONTACT,
    hints: ['@', '%40'],
    withinLines: true,
    pattern:
      /(?:(?<=%3[AaDd]|%2[0Cc6])|(?<![A-Za-z0-9._%+$-]))[A-Za-z0-9_+](?:[A-Za-z0-9._+'-]|%2[Bb]){0,63}(?:@|%40)(?:[A-Za-z0-9](?:[A-Za-z0-9-]{0,61}[A-Za-z0-9])?\.){1,8}(?:[A-Za-z]{2,24}|xn--[A-Za-z0-9-]{2,59})(?![A-Za-z0-9@-])/g,
    accept: (secret, match) =>
      !NOT_A_DOMAIN.test(secret) &&
      !(/^(?:git|hg|svn)@/.test(secret) && /^[:/]/.test(match.input.slice(match.index + secret.length))),
    matches: "to: 'otter@example.org'",
    ignores: 'git clone git@example.org:tides/river.git, npm i lodash@4.17.21',
  }),
];
