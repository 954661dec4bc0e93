/** A page to chat on, whole in itself: no script, style or font comes from anywhere else. */
export const CHAT_PAGE = `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<link rel="icon" href="data:,">
<title>A chat that remembers</title>
<style>
  body { margin: 0 auto; max-width: 46rem; padding: 1rem; font: 16px/1.5 system-ui, sans-serif; color: #1b1f24; background: #fff; }
  h1 { font-size: 1.3rem; margin: 0 0 .25rem; }
  p.hint, #status { color: #59636e; font-size: .9rem; margin: 0 0 1rem; }
  #status { margin-top: .75rem; }
  #log { display: flex; flex-direction: column; gap: .5rem; margin-bottom: 1rem; }
  #log > div { padding: .5rem .75rem; border-radius: .5rem; white-space: pre-wrap; overflow-wrap: anywhere; max-width: 90%; }
  .you { align-self: flex-end; background: #dbeafe; }
  .agent { background: #f0f2f5; }
  .tool { background: #fff; border: 1px solid #d1d9e0; font-size: .85rem; color: #59636e; }
  .error { background: #fee2e2; }
  form { display: flex; gap: .5rem; flex-wrap: wrap; align-items: end; }
  label { font-size: .85rem; color: #59636e; }
  input { display: block; font: inherit; padding: .4rem .6rem; border: 1px solid #8c959f; border-radius: .4rem; }
  label.grow { flex: 1 1 16rem; } label.grow input { width: 100%; box-sizing: border-box; }
  button { font: inherit; padding: .4rem 1rem; border: 0; border-radius: .4rem; background: #0550ae; color: #fff; cursor: pointer; }
  button:disabled { background: #8c959f; cursor: default; }
</style>
</head>
<body>
<h1>A chat that remembers</h1>
<p class="hint">Say something, change the session, and ask about it there: another session starts with what was said in this one.</p>
<div id="log" aria-live="polite"></div>
<form id="form">
  <label>Session <input id="session" size="10" maxlength="256" required value="today"></label>
  <label class="grow">Message <input id="message" maxlength="10000" required autocomplete="off" autofocus></label>
  <button id="send">Send</button>
</form>
<p id="status"></p>
<script>
  const by = (id) => document.getElementById(id);
  function show(kind, text) {
    const line = document.createElement('div');
    line.className = kind;
    line.textContent = text;
    by('log').append(line);
    line.scrollIntoView({ block: 'end' });
  }
  async function refresh() {
    try {
      const status = await (await fetch('memory')).json();
      by('status').textContent = 'Answers come from: ' + status.model + '. Memory: ' + status.backend + ', ' +
        status.capabilities.join(', ') + '; ' + status.outcomes.stored + ' messages remembered. Without: ' +
        (status.degradations.map((one) => one.key).join(', ') || 'nothing') + '.';
    } catch {
      by('status').textContent = 'The application does not answer.';
    }
  }
  by('form').addEventListener('submit', async (event) => {
    event.preventDefault();
    const message = by('message').value;
    show('you', message);
    by('message').value = '';
    by('send').disabled = true;
    try {
      const response = await fetch('chat', {
        method: 'POST',
        headers: { 'content-type': 'application/json' },
        body: JSON.stringify({ sessionId: by('session').value, message }),
      });
      const answer = await response.json();
      if (!response.ok) throw new Error([].concat(answer.message).join(' '));
      for (const call of answer.toolCalls) show('tool', call.name + ' ' + call.arguments + '\\n' + call.result);
      show('agent', answer.reply);
    } catch (error) {
      show('error', error.message);
    }
    by('send').disabled = false;
    by('message').focus();
    refresh();
  });
  refresh();
</script>
</body>
</html>
`;
