/** What the key of every token of this library begins with. */
export const TOKEN_PREFIX = '@aimon/nestjs-memory:';
