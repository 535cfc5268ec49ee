/** Sends a chosen file as a plain text body, and shows the text that it became. */
'use strict';
const problem = document.querySelector('#problem');

document.querySelector('#file').addEventListener('change', async event => {
  const [file] = event.target.files;
  if (!file) return;
  problem.hidden = true;
  try {
    const response = await fetch(`/texts?title=${encodeURIComponent(file.name)}`, {
      method: 'POST',
      headers: { 'Content-Type': 'text/plain; charset=utf-8', Accept: 'application/json' },
      body: file,
    });
    const answer = await response.json();
    if (!response.ok) throw new Error(answer.error);
    window.location.assign(answer.address);
  } catch (err) {
    problem.textContent = err.message;
    problem.hidden = false;
  }
});
