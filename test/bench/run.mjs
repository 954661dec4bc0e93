/** `npm run bench -- <what> [options]`: one benchmark by its name. */
const BENCHMARKS = ['load', 'model-calls', 'redaction', 'retrieval'];

const [name, ...options] = process.argv.slice(2);
if (BENCHMARKS.includes(name)) {
  process.argv.splice(2, process.argv.length, ...options);
  await import(`./${name}.mjs`);
} else {
  process.stderr.write(`npm run bench -- <${BENCHMARKS.join('|')}> [options]; there is no ${name ?? 'name'}.\n`);
  process.exitCode = 2;
}
