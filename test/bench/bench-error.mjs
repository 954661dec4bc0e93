/** A fault of what the benchmark was given; its message is a sentence for whoever runs it. */
export class BenchError extends Error {}
