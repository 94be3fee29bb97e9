for (const game of document.querySelectorAll(".game")) {
  const frames = [...game.querySelectorAll(".frames > figure")];
  const buttons = game.querySelector(".buttons");
  const place = buttons.querySelector("output");
  let current = 0;
  const show = (number) => {
    current = Math.max(0, Math.min(frames.length - 1, number));
    frames.forEach((frame, i) => { frame.hidden = i !== current; });
    place.textContent = `${current} / ${frames.length - 1}`;
  };
  const step = { first: () => show(0), back: () => show(current - 1), on: () => show(current + 1),
                 last: () => show(frames.length - 1) };
  for (const button of buttons.querySelectorAll("button")) button.onclick = step[button.name];
  game.onkeydown = (event) => {
    if (event.key === "ArrowRight") step.on();
    if (event.key === "ArrowLeft") step.back();
  };
  buttons.hidden = false;
  show(0);
}
