export { OnceLog } from '../domain/once-log.js';
