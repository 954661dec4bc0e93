export { abortable, reasonOf } from '../domain/abortable.js';
