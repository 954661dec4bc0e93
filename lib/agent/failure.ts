export { describeFailure, failureKind, failureReason } from '../domain/failure.js';
