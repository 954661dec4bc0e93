import { patternRule, SPECIFICITY, type RedactionRule } from '../redaction-rule.js';

const { CONTACT } = SPECIFICITY;
const OCTET = '(?:25[0-5]|2[0-4]\\d|1?\\d?\\d)';

/** What is only masked when asked for: telephone numbers, hardware addresses, public addresses. */
export const optInContacts: readonly RedactionRule[] = [
  patternRule({
    name: 'phone',
    category: 'PHONE',
    specificity: CONTACT,
    optIn: true,
    hints: /\d{3}/,
    pattern:
      /(?<![\w.-])(?:01[016789][ -]?\d{3,4}[ -]?\d{4}|0(?:2|[3-6]\d)-\d{3,4}-\d{4}|\+\d{1,3}[ -]?(?:\(\d{1,4}\)[ -]?)?\d{2,4}(?:[ -]?\d{3,4}){1,3}|\(\d{3}\) ?\d{3}-\d{4}|\d{3}-\d{3}-\d{4})(?![\w]|[.-]\d)/g,
    matches: '연락처 010-1234-5678',
    ignores: 'took 010 ms, 2025-01-02',
  }),
  patternRule({
    name: 'mac-address',
    category: 'MAC',
    specificity: CONTACT,
    optIn: true,
    hints: /[0-9a-f]{2}[:-]|[0-9a-f]{4}\./i,
    pattern:
      /(?<![A-Za-z0-9:.-])(?!ff:ff:ff:ff:ff:ff|00:00:00:00:00:00)(?:[0-9a-f]{2}(?::[0-9a-f]{2}){5}|[0-9a-f]{2}(?:-[0-9a-f]{2}){5}|[0-9a-f]{4}\.[0-9a-f]{4}\.[0-9a-f]{4})(?![A-Za-z0-9:.-])/gi,
    matches: 'link/ether 02:1a:4b:7c:9d:3e',
    ignores: 'brd ff:ff:ff:ff:ff:ff, at 12:30:45',
  }),
  patternRule({
    name: 'public-ipv4',
    category: 'PUBLIC_IP',
    specificity: CONTACT,
    optIn: true,
    hints: ['.'],
    pattern: new RegExp(
      `(?<![A-Za-z0-9.-])(?!10\\.|192\\.168\\.|172\\.(?:1[6-9]|2\\d|3[01])\\.|127\\.|0\\.|169\\.254\\.)${OCTET}(?:\\.${OCTET}){3}(?!\\d|\\.\\d|-)`,
      'g',
    ),
    matches: 'from 203.0.113.7 at night',
    ignores: 'on 127.0.0.1, oid 1.3.6.1.4.1',
  }),
];
